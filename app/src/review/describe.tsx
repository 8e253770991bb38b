/** What a change request is about: its subject, and a text in which people are mentioned as in comments. */

import { useRef, useState } from 'react';
import type { Inline } from '../document/model.ts';
import { personAt } from '../document/text.ts';
import { graphql } from '../graph/generated/index.ts';
import { useMutation } from '../graph/write.ts';
import { sayDone } from '../live/done.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, ui } from '../ui/ui.tsx';
import { blocksOf, type ChangeRequest } from './change.tsx';
import { useDraft } from './drafts.ts';
import { MentionArea } from './mention-area.tsx';
import { peopleOf, pieces, remember } from './mentions.ts';
import css from './review.module.css';

const DESCRIBE = graphql(`
  mutation DescribeChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id subject description updatedAt }
  }
`);

const textNode = (text: string) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] });

/** Paragraphs of a plain text as a document, which is what descriptions are; who is mentioned is named by id. */
function documentOf(text: string, draft: string): Record<string, unknown> {
  const paragraphs = text.split(/\n{2,}/u).map((part) => part.trim()).filter(Boolean);
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: paragraphs.map((part) => ({
      object: 'block', type: 'paragraph', isVoid: false, data: {},
      nodes: pieces(part, peopleOf(draft), false).map((piece) => (typeof piece === 'string' ? textNode(piece) : {
        object: 'inline', type: 'link', isVoid: false, data: { ref: { kind: 'user', user: piece.id } }, nodes: [textNode(`@${piece.name}`)],
      })),
    })),
  };
}

/** What a text says that has no marks, and nothing but mentions of people in it; else null. */
function plainOf(node: Inline, draft: string): string | null {
  if (node.object === 'text') return node.leaves.some((leaf) => leaf.marks.length > 0) ? null : node.leaves.map((leaf) => leaf.text).join('');
  if (node.type !== 'link') return null;
  const { ref } = node.data;
  const id = ref.kind === 'user' ? ref.user : ref.kind === 'url' ? personAt(ref.url) : null;
  const parts = node.nodes.map((inline) => plainOf(inline, draft));
  const said = parts.every((part) => part !== null) ? parts.join('') : '';
  if (id === null || !said.startsWith('@') || said.length === 1) return null;
  return `@${remember({ id, name: said.slice(1), url: ref.kind === 'url' ? ref.url : null }, null, draft)}`;
}

/** Only plain paragraphs are edited as text; any other description keeps its form, and its subject is edited alone. */
function plainText(description: Record<string, unknown> | null, draft: string): string | null {
  const parts = blocksOf(description).map((block) => {
    const said = block.type === 'paragraph' ? block.nodes.map((inline) => plainOf(inline, draft)) : [null];
    return said.some((part) => part === null) ? null : said.join('');
  });
  return parts.some((part) => part === null) ? null : parts.join('\n\n');
}

export function DescribeForm({ space, change, onDone }: { space: string; change: ChangeRequest; onDone: () => void }) {
  const t = useTexts();
  const [typed, setTyped, forgetSubject] = useDraft(`subject ${change.id}`);
  const [written, setWritten, forgetText, draft] = useDraft(`description ${change.id}`);
  const [before] = useState(() => plainText(change.description, draft));
  // What was typed before a crash, else what is there.
  const [subject, changeSubject] = useState(typed || change.subject);
  const [text, changeText] = useState(written || (before ?? ''));
  const newest = useRef({ subject, text });
  const setSubject = (next: string): void => {
    newest.current = { ...newest.current, subject: next };
    changeSubject(next);
    setTyped(next);
  };
  const setText = (next: string): void => {
    newest.current = { ...newest.current, text: next };
    changeText(next);
    setWritten(next);
  };
  const finish = (): void => {
    forgetSubject(newest.current.subject);
    forgetText(newest.current.text);
    onDone();
  };
  const [{ fetching, error }, describe] = useMutation(DESCRIBE);
  const send = async (): Promise<void> => {
    if (fetching) return;
    const input = before === null || text === before ? { subject } : { subject, description: documentOf(text, draft) };
    const result = await describe({ space, id: change.id, input });
    if (result.error) return;
    sayDone();
    // Who went on writing meanwhile has that still to save.
    if (newest.current.subject === subject && newest.current.text === text) finish();
  };
  return (
    <form
      className={css.form}
      style={{ maxInlineSize: '46rem', marginBlockEnd: '1.4rem' }}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label className={ui.field}>
        <span className={ui.label}>{t.subject}</span>
        <input className={ui.input} value={subject} dir="auto" autoFocus onChange={(event) => setSubject(event.target.value)} />
      </label>
      {before === null ? <p className={ui.hint}>{t.descriptionHasForm}</p> : (
        <MentionArea space={space} draft={draft} label={t.description} text={text} onText={setText} onSend={() => void send()} hint={t.mentionHint} />
      )}
      <FailureNotice error={error} />
      <div className={ui.actions}>
        <Button onPress={finish}>{t.cancel}</Button>
        <Button look="primary" type="submit" isDisabled={fetching}>{t.save}</Button>
      </div>
    </form>
  );
}
