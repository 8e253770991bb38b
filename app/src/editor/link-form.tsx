/** A small form of the editor: where a link leads. Its field comes at once: what is typed before the rest of it is loaded stays in it. */

import { Suspense, useRef, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { part } from '../ui/part.ts';
import { Dialog, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import type { LinkTarget, Sending } from './link-targets.tsx';

export const LinkTargets = part(async () => ({ default: (await import('./link-targets.tsx')).LinkTargets }));

export function LinkForm({ onlyPages, onClose, ...rest }: {
  space: string; organization: string; onlyPages: boolean; hasLink: boolean;
  onChoose: (target: LinkTarget) => void; onRemove: () => void; onClose: () => void;
}) {
  const t = useTexts().editor;
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const sending = useRef<Sending>({ words: null, again: null }).current;
  return (
    <Dialog title={onlyPages ? t.insertions.pageLink : t.link} isOpen onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          sending.words = text.trim();
          sending.again?.();
        }}
      >
        <label className={ui.field}>
          <span className={ui.label}>{t.linkTo}</span>
          <input ref={field} className={ui.input} value={text} autoFocus dir="auto" onChange={(event) => setText(event.target.value)} />
        </label>
        <Suspense fallback={null}><LinkTargets {...rest} onlyPages={onlyPages} text={text} field={field} sending={sending} /></Suspense>
      </form>
    </Dialog>
  );
}
