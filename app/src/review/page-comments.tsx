/** Comments on a page and its blocks: of the space itself, or of a change request. */

import { MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { CommentThreadFragment } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { useRead, Waiting } from '../graph/reading.tsx';
import { useStayingRows, useStill } from '../graph/staying.ts';
import { PRIMARY, type Version } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, More } from '../ui/ui.tsx';
import { CommentForm, type CommentOn } from './comment-form.tsx';
import { CommentCards, commentElement } from './comments.tsx';
import css from './review.module.css';

const COMMENTS = graphql(`
  query CommentsOfPage($space: ID!, $change: ID!, $isChange: Boolean!, $page: ID!, $first: Int!, $after: String) {
    space(id: $space) {
      id
      permissions { comment }
      comments(first: $first, after: $after, order: ASC, status: ALL, targetPage: $page) @skip(if: $isChange) { nodes { ...CommentThread } pageInfo { hasNextPage endCursor } }
      changeRequest(id: $change) @include(if: $isChange) {
        id
        permissions { comment }
        comments(first: $first, after: $after, order: ASC, status: ALL, targetPage: $page) { nodes { ...CommentThread } pageInfo { hasNextPage endCursor } }
      }
    }
  }
`);

/** Comments with their reactions are read by parts: many of them at once would cost more than one operation may. */
export function usePageComments(on: CommentOn, page: string | null) {
  const t = useTexts();
  const list = useMore(40, 40, `${on.change} ${page}`);
  const { data, error, fetching, again } = useRead(COMMENTS, {
    space: on.space, change: on.change ?? '', isChange: on.change !== null, page: page ?? '', first: list.first, after: list.after,
  }, page === null);
  const of = on.change === null ? data?.space : data?.space?.changeRequest;
  const { rows, gone } = useStayingRows(`${on.change} ${page} ${list.after}`, of?.comments?.nodes ?? [], commentElement);
  return {
    comments: rows, gone, mayComment: of?.permissions.comment ?? false, error, again, isWaiting: data?.space === undefined && fetching,
    more: <More list={list} info={of?.comments?.pageInfo} what={t.commentsOnPage} />,
  };
}

/** Below a page: what was said about it, and saying something. */
export default function PageComments({ space, version, page }: { space: string; version: Version; page: string }) {
  const t = useTexts();
  const on: CommentOn = { space, change: version.kind === 'change' ? version.id : null };
  const { comments, gone, mayComment: may, error, again, more, isWaiting } = usePageComments(on, page);
  const [isWriting, setWriting] = useState(false);
  const mayComment = useStill(may);
  if (isWaiting) return <Waiting />;
  if (comments.length === 0 && !mayComment && error === undefined) return null;
  return (
    <section className={css.onPage} aria-label={t.commentsOnPage}>
      {comments.length > 0 ? <h2>{t.commentsOnPage}</h2> : null}
      <Said comments={comments} gone={gone} on={on} version={version} />
      {more}
      <FailureNotice error={error} again={again} />
      {!mayComment ? null : isWriting ? (
        <CommentForm on={{ ...on, page, node: null }} onDone={() => setWriting(false)} autoFocus />
      ) : <div><Button look="plain" onPress={() => setWriting(true)}><MessageSquarePlus size={16} aria-hidden />{t.commentOnPage}</Button></div>}
    </section>
  );
}

export function Said({ comments, gone, on, version = PRIMARY }: {
  comments: readonly CommentThreadFragment[]; gone: ReadonlySet<string>; on: CommentOn; version?: Version;
}) {
  return comments.length === 0 ? null : <CommentCards comments={comments} known={gone} place={on} version={version} />;
}
