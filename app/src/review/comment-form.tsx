/** Writing a comment. */

import { graphql } from '../graph/generated/index.ts';
import { useMutation } from '../graph/write.ts';
import { useTexts } from '../texts/texts.tsx';
import { ui } from '../ui/ui.tsx';
import { TextForm } from './text-form.tsx';

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
  return (
    <TextForm
      space={on.space} name={`comment ${on.space} ${on.change} ${on.page} ${on.node}`} action={t.postComment} autoFocus={autoFocus} busy={fetching} error={error}
      label={on.node ? t.commentOnBlock : on.page ? t.commentOnPage : t.comment}
      about={about ? <span className={ui.hint}><bdi>“{about}”</bdi></span> : null}
      onSend={(markdown) => post({ space: on.space, change: on.change, input: { body: { markdown }, page: on.page, node: on.node } })}
      {...(onDone ? { onDone } : {})}
    />
  );
}
