/** Writing a comment; what was typed stays until it is posted, also over a reload of the page. */

import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { refreshVisible } from '../graph/visible.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, ui } from '../ui/ui.tsx';
import { useDraft } from './drafts.ts';
import css from './review.module.css';

export const POST = graphql(`
  mutation PostComment($space: ID!, $change: ID, $input: PostCommentInput!) {
    postComment(spaceId: $space, changeRequestId: $change, input: $input) { id }
  }
`);

export interface CommentOn {
  readonly space: string;
  readonly change: string | null;
}

interface Target extends CommentOn {
  readonly page: string | null;
  readonly node: string | null;
}

export function CommentForm({ on, about = '', onDone, autoFocus = false }: {
  on: Target; about?: string; onDone?: () => void; autoFocus?: boolean;
}) {
  const t = useTexts();
  const [{ fetching, error }, post] = useMutation(POST);
  const [text, setText, forget] = useDraft(`comment ${on.space} ${on.change} ${on.page} ${on.node}`);
  const [isEmpty, setEmpty] = useState(false);
  const send = async (): Promise<void> => {
    // Keys can ask for it again before the answer is there.
    if (fetching) return;
    setEmpty(text.trim() === '');
    if (text.trim() === '') return;
    const input = { body: { markdown: text }, page: on.page, node: on.node };
    const result = await post({ space: on.space, change: on.change, input });
    if (result.error) return;
    forget(text);
    refreshVisible();
    onDone?.();
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label className={ui.field}>
        <span className={ui.label}>{on.node ? t.commentOnBlock : on.page ? t.commentOnPage : t.comment}</span>
        {about ? <span className={ui.hint}><bdi>“{about}”</bdi></span> : null}
        <textarea
          className={ui.input}
          value={text}
          autoFocus={autoFocus}
          dir="auto"
          aria-invalid={isEmpty || undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
          }}
        />
        <span className={ui.hint}>{isEmpty ? t.writeSomething : t.markdownHint}</span>
      </label>
      <FailureNotice error={error} />
      <div className={ui.actions}>
        {onDone ? <Button look="plain" onPress={onDone}>{t.cancel}</Button> : null}
        <Button look="primary" type="submit" isDisabled={fetching}>{t.postComment}</Button>
      </div>
    </form>
  );
}
