/** The form of every text that is written in a conversation: what was typed stays until it is sent, also over a reload of the page. */

import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CombinedError } from 'urql';
import { noteTyped } from '../graph/staying.ts';
import { written } from '../live/done.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, ui } from '../ui/ui.tsx';
import { useDraft } from './drafts.ts';
import { MentionArea } from './mention-area.tsx';
import { linked, peopleOf, unlinked } from './mentions.ts';
import css from './review.module.css';
import { behind } from './sent.ts';

export function TextForm({ space, name, before, label, isLabelHidden = false, action, isSmall = false, about, placeholder, autoFocus = false, busy, error, onSend, onDone }: {
  space: string;
  /** Of its draft. */
  name: string;
  /** What is changed, in Markdown; absent where something new is written. */
  before?: string;
  label: string; isLabelHidden?: boolean; action: string;
  /** One line, and a button once there is something to send. */
  isSmall?: boolean;
  about?: ReactNode; placeholder?: string; autoFocus?: boolean; busy: boolean; error: CombinedError | undefined;
  /** Sends Markdown with links to whom it mentions. */
  onSend: (markdown: string) => Promise<{ error?: unknown }>;
  /** Where the form goes when it was sent or given up. */
  onDone?: () => void;
}) {
  const t = useTexts();
  const [stored, keepDraft, forget, draft] = useDraft(name);
  const [text, setText] = useState(() => stored || (before === undefined ? '' : unlinked(before, draft)));
  const newest = useRef(text);
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  // A draft that was kept was typed, too.
  useEffect(() => {
    const area = form.current?.querySelector('textarea');
    if (stored && area) noteTyped(area);
  }, []);
  const [isTried, setTried] = useState(before !== undefined);
  const isEmpty = text.trim() === '';
  const write = (next: string): void => {
    newest.current = next;
    setText(next);
    keepDraft(next);
  };
  const send = async (): Promise<void> => {
    // Keys can ask for it again before the answer is there.
    if (isSending.current) return;
    setTried(isEmpty || before !== undefined);
    // Who presses the button hears what is missing where they write it.
    if (isEmpty) return form.current?.querySelector('textarea')?.focus();
    isSending.current = true;
    const { error: refused } = await onSend(linked(text, peopleOf(draft)));
    isSending.current = false;
    if (refused) return;
    // Who went on writing meanwhile has that still to send.
    const isAll = newest.current === text;
    if (before === undefined) {
      forget(text);
      newest.current = behind(newest.current, text);
      setText(newest.current);
    } else if (isAll) forget(text);
    if (before === undefined || isAll) onDone?.();
    // The button of a small form is gone now.
    if (!onDone) form.current?.querySelector('textarea')?.focus();
    written();
  };
  const giveUp = (): void => {
    // A change that is given up is forgotten; what is new waits.
    if (before !== undefined) forget(newest.current);
    onDone?.();
  };
  const hint = isTried && isEmpty ? t.writeSomething : isSmall ? undefined : t.markdownHint;
  return (
    <form
      ref={form}
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {about}
      <MentionArea
        space={space} draft={draft} label={label} isLabelHidden={isLabelHidden} text={text} onText={write} onSend={() => void send()}
        isWrong={isTried && isEmpty} autoFocus={autoFocus} {...(hint ? { hint } : {})} {...(placeholder ? { placeholder } : {})} {...(isSmall ? { rows: 1 } : {})}
      />
      <FailureNotice error={error} />
      {isSmall && isEmpty ? null : (
        <div className={ui.actions}>
          {onDone ? <Button look="plain" onPress={giveUp}>{t.cancel}</Button> : null}
          <Button look={isSmall ? 'normal' : 'primary'} type="submit" aria-disabled={busy} {...(isSmall ? { 'aria-label': label } : {})}>{action}</Button>
        </div>
      )}
    </form>
  );
}
