import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/ui.tsx';
import css from '../document.module.css';
import { Inlines } from '../inlines.tsx';
import type { Code as CodeNode } from '../model.ts';
import { type AnyNode, textOf } from '../text.ts';

const SAID_MS = 1_500;

export function Code({ node }: { node: CodeNode }) {
  const t = useTexts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = window.setTimeout(() => setCopied(false), SAID_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  const { title, syntax, lineNumbers, overflow } = node.data;
  const name = title || syntax || t.code;
  const copy = async (): Promise<void> => {
    // The browser may not allow it; the text can be selected.
    await navigator.clipboard.writeText(textOf(node as AnyNode)).then(() => setCopied(true), () => undefined);
  };
  return (
    <div className={css.code}>
      <div className={css.codeHead}>
        <span>{name}</span>
        {/* Browsers give pages that came without TLS no clipboard, but for those of the same machine. */}
        {navigator.clipboard ? (
          <>
            <Button look="icon" aria-label={t.copy} onPress={copy}>
              {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
            </Button>
            <span className="hidden-text" role="status">{copied ? t.copied : ''}</span>
          </>
        ) : null}
      </div>
      <pre tabIndex={0} role="group" aria-label={name} data-wrap={overflow === 'wrap' || undefined} className={lineNumbers ? css.numbered : undefined}>
        <code>
          {node.nodes.map((line, index) => (
            <span key={line.key ?? index} className={css.line} data-highlighted={line.data.highlighted || undefined}>
              <Inlines nodes={line.nodes} />
            </span>
          ))}
        </code>
      </pre>
    </div>
  );
}
