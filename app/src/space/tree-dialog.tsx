/** What is asked before pages are made, renamed or removed: the dialog stays until it is written, and shows why it was refused. */

import { useRef, useState } from 'react';
import type { NewPageType } from '../graph/generated/graphql.ts';
import { useTreeTexts } from '../texts/tree/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Notice, ui } from '../ui/ui.tsx';
import type { TreePage } from './tree-store.ts';
import type { Refusal } from './tree-writes.ts';

export type Asked =
  | { readonly what: 'create'; readonly type: NewPageType; readonly parent: string }
  | { readonly what: 'rename' | 'remove'; readonly page: TreePage };

/** What is asked, in which turn: each begins with empty fields. */
export interface Turn {
  readonly asked: Asked;
  readonly number: number;
}

interface Form {
  readonly number: number;
  readonly title: string;
  readonly address: string;
  readonly busy: boolean;
  readonly refusal: Refusal | null;
}

const begun = ({ asked, number }: Turn): Form =>
  ({ number, title: asked.what === 'rename' ? asked.page.title : '', address: '', busy: false, refusal: null });

/** One dialog for all: two would hide each other from screen readers while one closes and one opens. */
export function TreeDialog({ turn, isOpen, isInChange, onSend, onMissed, onClose }: {
  turn: Turn; isOpen: boolean;
  /** What is written goes into a change request that is there already. */
  isInChange: boolean;
  /** Why it was refused; null when it was written. */
  onSend: (asked: Asked, title: string, address: string) => Promise<Refusal | null>;
  /** Something was refused whose dialog is another one by now. */
  onMissed: (title: string, refusal: Refusal) => void;
  onClose: () => void;
}) {
  const t = useTexts();
  const tree = useTreeTexts();
  const [before, setForm] = useState(() => begun(turn));
  const form = before.number === turn.number ? before : begun(turn);
  if (form !== before) setForm(form);
  const { asked, number } = turn;
  const { title, address, busy, refusal } = form;
  const newest = useRef(number);
  newest.current = number;
  const type = (next: { title?: string; address?: string }): void => setForm({ ...form, ...next });
  const send = async (): Promise<void> => {
    if (asked.what !== 'remove' && title.trim() === '') return;
    setForm({ ...form, busy: true, refusal: null });
    const refused = await onSend(asked, title.trim(), address.trim()).catch((fault: unknown) => {
      setForm((now) => ({ ...now, busy: false }));
      throw fault;
    });
    if (newest.current === number) {
      setForm((now) => ({ ...now, busy: false, refusal: refused }));
      if (refused === null) onClose();
    } else if (refused !== null) onMissed(title.trim(), refused);
  };
  const names: Record<NewPageType, string> = { DOCUMENT: tree.newPage, GROUP: tree.newGroup, LINK: tree.newLink };
  const heading = asked.what === 'create' ? names[asked.type] : asked.what === 'rename' ? tree.rename : tree.removeTitle(asked.page.title);
  const actions = { create: t.create, rename: t.save, remove: tree.remove };
  return (
    <FormDialog title={heading} action={actions[asked.what]} isOpen={isOpen} onClose={onClose} onSend={send} busy={busy} error={refusal?.error}>
      {asked.what === 'remove' ? <p>{tree.removeAbout}</p> : (
        <label className={ui.field}>
          <span className={ui.label}>{tree.title}</span>
          <input className={ui.input} value={title} dir="auto" required autoFocus onChange={(event) => type({ title: event.target.value })} />
        </label>
      )}
      {asked.what === 'create' && asked.type === 'LINK' ? (
        <label className={ui.field}>
          <span className={ui.label}>{tree.address}</span>
          <input className={ui.input} type="url" value={address} required onChange={(event) => type({ address: event.target.value })} />
          <span className={ui.hint}>{tree.addressHint}</span>
        </label>
      ) : null}
      {isInChange ? null : <p className={ui.hint}>{tree.inNewChange}</p>}
      {refusal?.isGivenUp ? <Notice tone="warn">{tree.givenUp}</Notice> : null}
    </FormDialog>
  );
}
