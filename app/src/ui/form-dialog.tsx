/** Forms in dialogs: they stay until the answer is there, and come back where somebody has closed them before it. */

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { CombinedError } from 'urql';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from './failure.tsx';
import { Button, Dialog, ui } from './ui.tsx';

/** What is being sent from a dialog, and what became of it. */
export interface Sending {
  readonly busy: boolean;
  readonly error: CombinedError | undefined;
  /** It ends with something to read, such as a secret that is shown once. */
  readonly isDone?: boolean;
}

/**
 * Whether a dialog is to be seen. One that somebody closes before the answer comes back when that is a refusal, with what was
 * typed, or when it is to be read. `error` is of what was sent from the dialog since it was opened: not an older one, and not
 * that of another row.
 */
export function useComingBack(isOpen: boolean, { busy, error, isDone = false }: Sending, onClose: () => void) {
  const [isBack, setBack] = useState(false);
  // What was sent from here, by the error that was there before it.
  const [own, setOwn] = useState<{ readonly before: CombinedError | undefined } | null>(null);
  const shown = useRef(isOpen);
  shown.current = isOpen || isBack;
  useEffect(() => {
    if (busy) return;
    if (error === undefined && !isDone) setBack(false);
    else if (own !== null && (isDone || error !== own.before) && !shown.current) setBack(true);
  }, [busy, error, isDone]);
  const close = (): void => {
    setBack(false);
    if (!busy) setOwn(null);
    onClose();
  };
  return { isShown: isOpen || isBack, error: own !== null && error !== own.before ? error : undefined, sent: () => setOwn({ before: error }), close };
}

/** A form in a dialog; `onSend` closes it when it is done. */
export function FormDialog({ title, action, isOpen, onClose, onSend, busy, error, wide = false, isDone = false, children }: Sending & {
  title: string; action: string; isOpen: boolean; onClose: () => void; onSend: () => Promise<unknown>; wide?: boolean; children: ReactNode;
}) {
  const t = useTexts();
  const { isShown, error: own, sent, close } = useComingBack(isOpen, { busy, error, isDone }, onClose);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    sent();
    void onSend();
  };
  return (
    <Dialog title={title} isOpen={isShown} onClose={close} wide={wide}>
      <form className={ui.form} aria-busy={busy} onSubmit={send}>
        {children}
        <FailureNotice error={own} />
        <div className={ui.actions}>
          {isDone ? <Button look="primary" onPress={close}>{t.close}</Button> : (
            <>
              <Button onPress={close}>{t.cancel}</Button>
              <Button look="primary" type="submit" aria-disabled={busy}>{action}</Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}
