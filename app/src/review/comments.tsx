/** Conversations: comments with their replies and reactions. */

import { SmilePlus } from 'lucide-react';
import { useState } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useMutation } from 'urql';
import { Link } from 'wouter';
import { DocumentBody } from '../document/blocks.tsx';
import type { Block } from '../document/model.ts';
import { graphql } from '../graph/generated/index.ts';
import type { CommentThreadFragment, FirstRepliesQuery, ReactionsFragment, ReplyRowFragment } from '../graph/generated/graphql.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { toPageOf, type Version } from '../place.ts';
import { useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { FailureNotice } from '../ui/failure.tsx';
import { Badge, Button, Face, ui } from '../ui/ui.tsx';
import { useDraft } from './drafts.ts';
import css from './review.module.css';

export const REACTIONS = graphql(`
  fragment Reactions on Reactable {
    __typename
    id
    reactions { emoji count users { user { id displayName } } }
  }
`);

export const THREAD = graphql(`
  fragment CommentThread on Comment {
    ...Reactions
    postedAt
    editedAt
    postedBy { id displayName }
    body { document }
    status
    permissions { reply react resolve edit delete }
    target { page { pageId title path outdated } node { nodeId preview } reviewId }
    replyCount
  }
`);

export const REPLY_ROW = graphql(`
  fragment ReplyRow on CommentReply {
    ...Reactions
    postedAt
    postedBy { id displayName }
    body { document }
    permissions { delete }
  }
`);

const REPLIES = graphql(`
  query Replies($comment: ID!, $after: String) {
    node(id: $comment) {
      __typename
      id
      ... on Comment {
        replies(first: 40, after: $after) { nodes { ...ReplyRow } pageInfo { hasNextPage endCursor } }
      }
    }
  }
`);

/** Each reply may have many reactions: so many replies of so many comments stay below the limit of costs. */
const COMMENTS_AT_ONCE = 5;
const FIRST_REPLIES = graphql(`
  query FirstReplies($comments: [ID!]!) {
    nodes(ids: $comments) {
      __typename
      id
      ... on Comment {
        replies(first: 8) { nodes { ...ReplyRow } pageInfo { hasNextPage endCursor } }
      }
    }
  }
`);

const REPLY = graphql(`
  mutation ReplyToComment($space: ID!, $change: ID, $comment: ID!, $input: PostCommentReplyInput!) {
    replyToComment(spaceId: $space, changeRequestId: $change, commentId: $comment, input: $input) { id }
  }
`);
const UPDATE = graphql(`
  mutation ResolveComment($space: ID!, $change: ID, $id: ID!, $input: UpdateCommentInput!) {
    updateComment(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id status }
  }
`);
const DELETE = graphql(`
  mutation DeleteComment($space: ID!, $change: ID, $id: ID!) {
    deleteComment(spaceId: $space, changeRequestId: $change, id: $id) { deletedId }
  }
`);
const DELETE_REPLY = graphql(`
  mutation DeleteCommentReply($space: ID!, $change: ID, $comment: ID!, $id: ID!) {
    deleteCommentReply(spaceId: $space, changeRequestId: $change, commentId: $comment, id: $id) { deletedId }
  }
`);
const ADD = graphql(`
  mutation AddReaction($subject: ID!, $input: ReactionInput!) {
    addReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`);
const REMOVE = graphql(`
  mutation RemoveReaction($subject: ID!, $input: ReactionInput!) {
    removeReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`);

/** Offered first; the graph takes any. Named by code points, as all emoji of the graph. */
const OFFERED = ['1f44d', '1f389', '2764', '1f680', '1f440', '1f914'];

interface Place {
  readonly space: string;
  readonly change: string | null;
}

const bodyOf = (body: { document: Record<string, unknown> }): Block[] => (body.document['nodes'] ?? []) as Block[];

/** A reaction is there at once, and taken back with an explanation when it is refused. */
function Reactions({ subject, allowed }: { subject: ReactionsFragment; allowed: boolean }) {
  const t = useTexts();
  const viewer = useViewer();
  const [adding, add] = useMutation(ADD);
  const [removing, remove] = useMutation(REMOVE);
  const [pending, setPending] = useState<{ emoji: string; mine: boolean } | null>(null);
  const isMine = (emoji: string): boolean => {
    if (pending?.emoji === emoji) return pending.mine;
    return subject.reactions.some((one) => one.emoji === emoji && one.users.some(({ user }) => user.id === viewer.id));
  };
  const countOf = (emoji: string): number => {
    const row = subject.reactions.find((one) => one.emoji === emoji);
    const was = row?.users.some(({ user }) => user.id === viewer.id) ?? false;
    return (row?.count ?? 0) + (isMine(emoji) === was ? 0 : was ? -1 : 1);
  };
  const toggle = async (emoji: string): Promise<void> => {
    const mine = !isMine(emoji);
    setPending({ emoji, mine });
    await (mine ? add : remove)({ subject: subject.id, input: { emoji } });
    setPending(null);
  };
  const shown = [...new Set([...subject.reactions.map((one) => one.emoji), ...(pending ? [pending.emoji] : [])])]
    .filter((emoji) => countOf(emoji) > 0);
  if (shown.length === 0 && !allowed) return null;
  return (
    <>
      <div className={css.reactions}>
        {shown.map((emoji) => {
          const names = subject.reactions.find((one) => one.emoji === emoji)?.users.map(({ user }) => user.displayName) ?? [];
          return (
            <button
              key={emoji}
              type="button"
              className={css.reaction}
              aria-pressed={isMine(emoji)}
              disabled={!allowed || pending !== null}
              title={names.join(', ')}
              onClick={() => void toggle(emoji)}
            >
              {emojiOf(emoji)} {countOf(emoji)}
            </button>
          );
        })}
        {allowed ? (
          <DialogTrigger>
            <Button look="icon" aria-label={t.addReaction}><SmilePlus size={17} aria-hidden /></Button>
            <Popover className={ui.popover ?? ''}>
              <Dialog className={css.emojis ?? ''} aria-label={t.addReaction}>
                {({ close }) => (
                  <>
                    {OFFERED.map((emoji) => (
                      <button
                        key={emoji}
                        type="button"
                        aria-label={t.emojis[emoji] ?? emoji}
                        onClick={() => {
                          close();
                          if (!isMine(emoji)) void toggle(emoji);
                        }}
                      >
                        {emojiOf(emoji)}
                      </button>
                    ))}
                  </>
                )}
              </Dialog>
            </Popover>
          </DialogTrigger>
        ) : null}
      </div>
      <FailureNotice error={adding.error ?? removing.error} />
    </>
  );
}

function ReplyForm({ place, comment }: { place: Place; comment: string }) {
  const t = useTexts();
  const [text, setText, forget] = useDraft(`reply ${comment}`);
  const [{ fetching, error }, reply] = useMutation(REPLY);
  const send = async (): Promise<void> => {
    if (fetching || text.trim() === '') return;
    const result = await reply({ space: place.space, change: place.change, comment, input: { body: { markdown: text } } });
    if (result.error) return;
    forget(text);
    refreshVisible();
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
        <span className="hidden-text">{t.reply}</span>
        <textarea
          className={ui.input}
          style={{ minBlockSize: '2.6rem' }}
          placeholder={t.replyPlaceholder}
          rows={1}
          value={text}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
          }}
        />
      </label>
      <FailureNotice error={error} />
      {text.trim() ? <div className={ui.actions}><Button type="submit" isDisabled={fetching}>{t.reply}</Button></div> : null}
    </form>
  );
}

/** A list of comments; the first replies of several come together. */
export function CommentCards({ comments, place, version }: { comments: readonly CommentThreadFragment[]; place: Place; version: Version }) {
  const parts: CommentThreadFragment[][] = [[]];
  let answered = 0;
  for (const comment of comments) {
    if (comment.replyCount > 0 && answered > 0 && answered % COMMENTS_AT_ONCE === 0) parts.push([]);
    if (comment.replyCount > 0) answered += 1;
    parts.at(-1)?.push(comment);
  }
  return (
    <ul className={css.thread}>
      {parts.map((part) => <Cards key={part[0]?.id} comments={part} place={place} version={version} />)}
    </ul>
  );
}

function Cards({ comments, place, version }: { comments: readonly CommentThreadFragment[]; place: Place; version: Version }) {
  const ids = comments.filter((one) => one.replyCount > 0).map((one) => one.id);
  const result = useRead(FIRST_REPLIES, { comments: ids }, ids.length === 0);
  const replies = new Map((result.data?.nodes ?? []).flatMap((node) => (node?.__typename === 'Comment' ? [[node.id, node.replies] as const] : [])));
  return (
    <>
      {comments.map((comment) => (
        <li key={comment.id}><CommentCard comment={comment} replies={replies.get(comment.id)} place={place} version={version} /></li>
      ))}
    </>
  );
}

type FirstReplies = Extract<NonNullable<FirstRepliesQuery['nodes'][number]>, { __typename: 'Comment' }>['replies'];

/** Replies that came with others, and those behind them. */
function Answers({ place, comment, replies }: { place: Place; comment: CommentThreadFragment; replies: FirstReplies }) {
  const t = useTexts();
  const [more, setMore] = useState(false);
  return (
    <>
      {replies.nodes.map((reply) => <li key={reply.id}><Reply place={place} comment={comment} reply={reply} /></li>)}
      {replies.pageInfo.hasNextPage ? (
        more ? <Replies place={place} comment={comment} after={replies.pageInfo.endCursor} />
          : <li><Button look="plain" onPress={() => setMore(true)}>{t.showMore}</Button></li>
      ) : null}
    </>
  );
}

/** One portion of the replies, and those behind it. */
function Replies({ place, comment, after }: { place: Place; comment: CommentThreadFragment; after: string | null }) {
  const t = useTexts();
  const [more, setMore] = useState(false);
  const result = useRead(REPLIES, { comment: comment.id, after });
  return (
    <Reading result={result} pick={(data) => (data.node?.__typename === 'Comment' ? data.node.replies : null)}>
      {({ nodes, pageInfo }) => (
        <>
          {nodes.map((reply) => <li key={reply.id}><Reply place={place} comment={comment} reply={reply} /></li>)}
          {pageInfo.hasNextPage ? (
            more ? <Replies place={place} comment={comment} after={pageInfo.endCursor} />
              : <li><Button look="plain" onPress={() => setMore(true)}>{t.showMore}</Button></li>
          ) : null}
        </>
      )}
    </Reading>
  );
}

function Reply({ place, comment, reply }: { place: Place; comment: CommentThreadFragment; reply: ReplyRowFragment }) {
  const t = useTexts();
  const [{ fetching, error }, remove] = useMutation(DELETE_REPLY);
  const [asking, setAsking] = useState(false);
  const takeAway = async (): Promise<void> => {
    const result = await remove({ ...place, comment: comment.id, id: reply.id });
    if (!result.error) refreshVisible();
  };
  return (
    <>
      <div className={css.replyHead}>
        <Face name={reply.postedBy.displayName} />
        <strong><bdi>{reply.postedBy.displayName}</bdi></strong>
        <span className={css.about}><Ago at={reply.postedAt} /></span>
        {reply.permissions.delete ? (
          <Button look="plain" isDisabled={fetching} onPress={() => (asking ? void takeAway() : setAsking(true))}>{asking ? t.deleteForGood : t.delete}</Button>
        ) : null}
      </div>
      <DocumentBody nodes={bodyOf(reply.body)} />
      <Reactions subject={reply} allowed={comment.permissions.react} />
      <FailureNotice error={error} />
    </>
  );
}

function CommentCard({ comment, replies, place, version }: {
  comment: CommentThreadFragment; replies: FirstReplies | undefined; place: Place; version: Version;
}) {
  const t = useTexts();
  const [resolving, resolve] = useMutation(UPDATE);
  const [deleting, remove] = useMutation(DELETE);
  const [asking, setAsking] = useState(false);
  const resolved = comment.status === 'RESOLVED';
  const act = async (work: Promise<{ error?: unknown }>): Promise<void> => {
    const { error } = await work;
    if (!error) refreshVisible();
  };
  const of = { space: place.space, change: place.change };
  return (
    <article className={css.comment} aria-label={t.commentBy(comment.postedBy.displayName)} id={`comment-${comment.id}`}>
      <header className={css.commentHead}>
        <Face name={comment.postedBy.displayName} />
        <strong><bdi>{comment.postedBy.displayName}</bdi></strong>
        <span className={css.about}><Ago at={comment.postedAt} />{comment.editedAt ? ` · ${t.edited}` : ''}</span>
        {resolved ? <Badge tone="good">{t.resolved}</Badge> : null}
        <span className="push" style={{ marginInlineStart: 'auto', display: 'flex', gap: '0.2rem' }}>
          {comment.permissions.resolve ? (
            <Button look="plain" isDisabled={resolving.fetching} onPress={() => void act(resolve({ ...of, id: comment.id, input: { resolved: !resolved } }))}>
              {resolved ? t.reopen : t.resolve}
            </Button>
          ) : null}
          {comment.permissions.delete ? (
            asking ? (
              <Button look="plain" isDisabled={deleting.fetching} onPress={() => void act(remove({ ...of, id: comment.id }))}>{t.deleteForGood}</Button>
            ) : <Button look="plain" onPress={() => setAsking(true)}>{t.delete}</Button>
          ) : null}
        </span>
      </header>
      <div className={css.commentBody}>
        {comment.target.page ? (
          <p className={css.about}>
            {t.about} <Link href={toPageOf(place.space, version, comment.target.page.path)}><bdi>{comment.target.page.title}</bdi></Link>
            {comment.target.node?.preview ? <>: <bdi>“{comment.target.node.preview}”</bdi></> : null}
            {comment.target.page.outdated ? ` (${t.changedSince})` : ''}
          </p>
        ) : null}
        <DocumentBody nodes={bodyOf(comment.body)} />
        <Reactions subject={comment} allowed={comment.permissions.react} />
        {replies ? <ul className={css.replies}><Answers place={place} comment={comment} replies={replies} /></ul> : null}
        <FailureNotice error={resolving.error ?? deleting.error} />
        {comment.permissions.reply && !resolved ? <ReplyForm place={place} comment={comment.id} /> : null}
      </div>
    </article>
  );
}
