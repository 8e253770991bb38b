/** Inlines of a document: text with marks, links, and what else stands in a line. */

import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Link } from 'wouter';
import { useTexts } from '../texts/texts.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { ui } from '../ui/ui.tsx';
import { Blocks } from './blocks.tsx';
import css from './document.module.css';
import { Resolved } from './late.tsx';
import { Formula } from './math.tsx';
import type { Block, ContentReference, Inline, Mark } from './model.ts';
import { ReaderContext, type Target, useReader } from './references.tsx';
import { personAt, textOf } from './text.ts';

const COLORS: Record<string, string> = {
  green: '--good', blue: '--accent', red: '--bad', orange: '--warn', yellow: '--warn', purple: '--accent',
  $primary: '--accent', $info: '--accent', $success: '--good', $warning: '--warn', $danger: '--bad',
};

function colored(mark: Extract<Mark, { type: 'color' }>): CSSProperties {
  const { text, background } = mark.data;
  return {
    ...(COLORS[text] ? { color: `var(${COLORS[text]})` } : {}),
    ...(COLORS[background] ? { background: `var(${COLORS[background]}-soft)` } : {}),
  };
}

function marked(text: ReactNode, marks: readonly Mark[]): ReactNode {
  return marks.reduce<ReactNode>((inner, mark) => {
    switch (mark.type) {
      case 'bold': return <strong>{inner}</strong>;
      case 'italic': return <em>{inner}</em>;
      case 'code': return <code className={css.inlineCode}>{inner}</code>;
      case 'keyboard': return <kbd className={ui.kbd}>{inner}</kbd>;
      case 'strikethrough': return <s>{inner}</s>;
      case 'superscript': return <sup>{inner}</sup>;
      case 'subscript': return <sub>{inner}</sub>;
      case 'color': return <span style={colored(mark)}>{inner}</span>;
      default: return inner;
    }
  }, text);
}

/** A text that leads where a reference does; a broken one says so. */
export function To({ target, className, children, ...rest }: {
  target: Target; className?: string | undefined; children: ReactNode; title?: string | undefined; 'data-kind'?: string;
}) {
  const t = useTexts();
  if (target.broken) {
    return <span className={css.broken} title={t.brokenLink}>{children}<span className="hidden-text"> ({t.brokenLink})</span></span>;
  }
  if (target.href === null) return <span className={className}>{children}</span>;
  if (target.inside) return <Link href={target.href} className={className} {...rest}>{children}</Link>;
  const here = target.href.startsWith('#');
  return <a href={target.href} className={className} {...(here ? {} : { rel: 'noreferrer' })} {...rest}>{children}</a>;
}

function Unknown({ node }: { node: { type?: string } }) {
  const t = useTexts();
  const text = textOf(node as never);
  return <span className={css.unknownInline} title={t.unknownBlock(node.type ?? '')}>{text || node.type}</span>;
}

/** An image of the space; those of other servers are only named, for nothing is asked of others. */
export function Picture({ reference, alt, className, width }: {
  reference: ContentReference; alt?: string | undefined; className?: string | undefined; width?: number | undefined;
}) {
  const t = useTexts();
  const target = useReader().resolve(reference);
  if (target.file === null || target.href === null) {
    return <To target={target}>{target.broken ? t.missingImage(alt ?? '') : t.imageElsewhere(alt || target.title)}</To>;
  }
  return (
    <img
      className={className}
      src={target.href}
      alt={alt ?? ''}
      loading="lazy"
      width={width ?? target.file.width ?? undefined}
      height={width === undefined ? (target.file.height ?? undefined) : undefined}
    />
  );
}

/** A link to a person whose text begins with `@`, by id or by address. */
const isMention = ({ data: { ref }, nodes }: Extract<Inline, { type: 'link' }>): boolean =>
  (ref.kind === 'user' || (ref.kind === 'url' && personAt(ref.url) !== null)) && nodes.map(textOf).join('').startsWith('@');

function InlineNode({ node }: { node: Inline }) {
  const reader = useReader();
  const t = useTexts();
  if (node.object === 'text') {
    return <>{node.leaves.map((leaf, index) => <Fragment key={index}>{marked(leaf.text, leaf.marks)}</Fragment>)}</>;
  }
  switch (node.type) {
    case 'link':
      if (isMention(node)) return <Resolved reference={node.data.ref}>{({ about }) => <span className={css.mention} title={about}><Inlines nodes={node.nodes} /></span>}</Resolved>;
      return <Resolved reference={node.data.ref}>{(target) => <To target={target} title={node.data.title}><Inlines nodes={node.nodes} /></To>}</Resolved>;
    case 'emoji':
      return <>{emojiOf(node.data.code) ?? node.data.code}</>;
    case 'icon':
      return <span className={css.unknownInline}>{node.data.icon}</span>;
    case 'expression':
      return <code className={css.inlineCode} title={t.expression}>{node.data.expression}</code>;
    case 'inline-math':
      return <Formula source={node.data.formula} display={false} />;
    case 'inline-image':
      return <Picture reference={node.data.ref} alt={node.data.alt} className={css.inlineImage} />;
    case 'annotation':
      return (
        <DialogTrigger>
          <Button className={css.annotation ?? ''}><Inlines nodes={node.nodes} /><span className="hidden-text"> ({t.note})</span></Button>
          <Popover className={ui.popover ?? ''}>
            <Dialog className={css.note ?? ''} aria-label={t.note}>
              {/* A popover is drawn elsewhere, and reads the same references. */}
              <ReaderContext.Provider value={reader}>
                <div className={css.body}>
                  {node.fragments.map((fragment, index) => <Blocks key={index} nodes={fragment.nodes} />)}
                </div>
              </ReaderContext.Provider>
            </Dialog>
          </Popover>
        </DialogTrigger>
      );
    case 'mention':
      return (
        <Resolved reference={node.data.ref}>
          {({ title, about }) => <span className={css.mention} title={about}>{title || t.somebody}</span>}
        </Resolved>
      );
    case 'button':
      return node.data.ref ? (
        <To target={reader.resolve(node.data.ref)} className={css.buttonLink} data-kind={node.data.kind}>{node.data.label}</To>
      ) : <span className={css.unknownInline}>{node.data.label}</span>;
    case 'markdown':
      return <span className={css.unknownInline}>{node.data.source}</span>;
    default:
      return <Unknown node={node} />;
  }
}

export const Inlines = ({ nodes }: { nodes: readonly Inline[] }) => (
  <>{nodes.map((node, index) => <InlineNode key={('key' in node && node.key) || index} node={node} />)}</>
);

/** Blocks of a title or a caption as inlines. */
export const inlinesOf = (blocks: readonly Block[]): Inline[] =>
  blocks.flatMap((block) => (block.type === 'paragraph' || block.type.startsWith('heading') ? (block as { nodes: Inline[] }).nodes : []));
