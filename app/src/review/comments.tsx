/** Conversations: comments with their replies and reactions. */

import { SmilePlus } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Link } from 'wouter';
import { DocumentBody } from '../document/blocks.tsx';
import { type AnyNode, blocksOf, textOf } from '../document/text.ts';
import type { Block } from '../document/model.ts';
import { graphql } from '../graph/generated/index.ts';
import type { CommentThreadFragment, FirstRepliesQuery, ReactionsFragment, ReplyRowFragment } from '../graph/generated/graphql.ts';
import { Portions } from '../graph/portions.tsx';
import { Gone, Reading, useRead } from '../graph/reading.tsx';
import { useStayingRows, useStill } from '../graph/staying.ts';
import { useMutation } from '../graph/write.ts';
import { sayDone, written } from '../live/done.ts';
import { toPageOf, type Version } from '../place.ts';
import { useViewer } from '../shell/viewer.tsx';
import type { Texts } from '../texts/en.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { FailureNotice } from '../ui/failure.tsx';
import { Badge, Button, Face, ui } from '../ui/ui.tsx';
import css from './review.module.css';
import { TextForm } from './text-form.tsx';

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
    editedAt
    postedBy { id displayName }
    body { document }
    permissions { edit delete }
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
const WRITTEN = graphql(`
  query WrittenComment($id: ID!) { node(id: $id) { __typename id ... on Comment { body { markdown } } ... on CommentReply { body { markdown } } } }
`);
const UPDATE = graphql(`
  mutation ResolveComment($space: ID!, $change: ID, $id: ID!, $input: UpdateCommentInput!) {
    updateComment(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id status }
  }
`);
const UPDATE_REPLY = graphql(`
  mutation ChangeReply($space: ID!, $change: ID, $comment: ID!, $id: ID!, $input: UpdateCommentReplyInput!) {
    updateCommentReply(spaceId: $space, changeRequestId: $change, commentId: $comment, id: $id, input: $input) { ...ReplyRow }
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

const EXCERPT = 40;
/** What is said of a button of one comment among many: whose it is and how it begins. */
const excerptOf = (body: { document: Record<string, unknown> }): string =>
  bodyOf(body).map((block) => textOf(block as AnyNode)).join(' ').slice(0, EXCERPT);
const Of = ({ children }: { children: string }) => <span className="hidden-text"> {children}</span>;

const bodyOf = (body: { document: Record<string, unknown> }): Block[] => blocksOf(body.document);

const whatOf = (t: Texts, { postedBy, body }: Pick<ReplyRowFragment, 'postedBy' | 'body'>): string =>
  [t.commentBy(postedBy.displayName), excerptOf(body)].filter(Boolean).join(': ');

/** A reaction is there at once, and taken back with an explanation when it is refused. */
function Reactions({ subject, allowed, what }: { subject: ReactionsFragment; allowed: boolean; what: string }) {
  const t = useTexts();
  const viewer = useViewer();
  const [adding, add] = useMutation(ADD);
  const [removing, remove] = useMutation(REMOVE);
  const [pending, setPending] = useState<{ emoji: string; mine: boolean } | null>(null);
  const isMine = (emoji: string): boolean => {
    if (pending?.emoji === emoji) return pending.mine;
    return subject.reactions.some((reaction) => reaction.emoji === emoji && reaction.users.some(({ user }) => user.id === viewer.id));
  };
  const countOf = (emoji: string): number => {
    const row = subject.reactions.find((reaction) => reaction.emoji === emoji);
    const was = row?.users.some(({ user }) => user.id === viewer.id) ?? false;
    return (row?.count ?? 0) + (isMine(emoji) === was ? 0 : was ? -1 : 1);
  };
  const toggle = async (emoji: string): Promise<void> => {
    const mine = !isMine(emoji);
    setPending({ emoji, mine });
    const { error } = await (mine ? add : remove)({ subject: subject.id, input: { emoji } });
    setPending(null);
    if (!error) sayDone();
  };
  const shown = [...new Set([...subject.reactions.map((reaction) => reaction.emoji), ...(pending ? [pending.emoji] : [])])]
    .filter((emoji) => countOf(emoji) > 0);
  if (shown.length === 0 && !allowed) return null;
  return (
    <>
      <div className={css.reactions}>
        {shown.map((emoji) => {
          const names = subject.reactions.find((reaction) => reaction.emoji === emoji)?.users.map(({ user }) => user.displayName) ?? [];
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
              {emojiOf(emoji)} {countOf(emoji)}<Of>{what}</Of>
            </button>
          );
        })}
        {allowed ? (
          <DialogTrigger>
            <Button look="icon" aria-label={`${t.addReaction}: ${what}`}><SmilePlus size={17} aria-hidden /></Button>
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

function ReplyForm({ place, comment, what }: { place: Place; comment: string; what: string }) {
  const t = useTexts();
  const [{ fetching, error }, reply] = useMutation(REPLY);
  return (
    <TextForm
      space={place.space} name={`reply ${comment}`} label={what} isLabelHidden placeholder={t.replyPlaceholder} action={t.reply} isSmall busy={fetching} error={error}
      onSend={(markdown) => reply({ space: place.space, change: place.change, comment, input: { body: { markdown } } })}
    />
  );
}

const ALWAYS_NEW = { requestPolicy: 'network-only' } as const;

/** A comment of one's own, or a reply to it, as it was written, to be written on. */
function Editing({ place, comment, reply, onDone }: { place: Place; comment: string; reply?: string; onDone: () => void }) {
  const t = useTexts();
  const id = reply ?? comment;
  const result = useRead(WRITTEN, { id }, false, ALWAYS_NEW);
  const [{ fetching, error }, update] = useMutation(UPDATE);
  const [{ fetching: isReplying, error: replyError }, updateReply] = useMutation(UPDATE_REPLY);
  return (
    <Reading result={result} pick={({ node }) => (node?.__typename === 'Comment' || node?.__typename === 'CommentReply' ? node.body : null)}>
      {({ markdown }) => (
        <TextForm
          space={place.space} name={`edited ${id}`} before={markdown} label={reply ? t.replyText : t.comment} isLabelHidden autoFocus action={t.save}
          busy={fetching || isReplying} error={error ?? replyError} onDone={onDone}
          onSend={(text) => {
            const input = { body: { markdown: text } };
            return reply ? updateReply({ ...place, comment, id, input }) : update({ ...place, id, input });
          }}
        />
      )}
    </Reading>
  );
}

/** Whether one's own text is being edited; the button that begins it has the focus again when it is done. */
function useEditing(what: string) {
  const t = useTexts();
  const [isEditing, setEditing] = useState(false);
  const [wasEdited, setEdited] = useState(false);
  const begin = isEditing ? null : <Button look="plain" autoFocus={wasEdited} onPress={() => setEditing(true)}>{t.editor.edit}<Of>{what}</Of></Button>;
  const done = (): void => {
    setEdited(true);
    setEditing(false);
  };
  return { isEditing, begin, done };
}

const DOUBLE_CLICK_MS = 500;

/** A button that deletes for good when it is pressed twice, but not by a double-click, and not when somebody has been elsewhere meanwhile. */
function DeleteButton({ what, isBusy, onDelete }: { what: string; isBusy: boolean; onDelete: () => void }) {
  const t = useTexts();
  const [askedAt, setAskedAt] = useState<number | null>(null);
  const press = (): void => {
    if (askedAt === null) setAskedAt(performance.now());
    else if (performance.now() - askedAt > DOUBLE_CLICK_MS) onDelete();
  };
  // Not at once: a button beside it that is being pressed would move away.
  const leave = (): void => void window.setTimeout(() => setAskedAt(null), DOUBLE_CLICK_MS);
  return (
    <Button look="plain" isDisabled={isBusy} onPress={press} onBlur={leave} onKeyDown={(event) => event.key === 'Escape' && setAskedAt(null)}>
      {askedAt === null ? t.delete : t.deleteForGood}<Of>{what}</Of>
    </Button>
  );
}

/**
 * Comments of a list, of a long one those behind others. One that is gone stays as long as somebody writes in it; where the list
 * has those already, `known` says which they are.
 */
export function CommentItems({ comments, known, before, place, version }: Conversation & { before?: number }) {
  const own = useStayingRows(`${place.space} ${place.change}`, comments, commentElement);
  const { rows, gone } = known ? { rows: comments, gone: known } : own;
  const [replies, setReplies] = useState<ReadonlyMap<string, FirstReplies>>(new Map());
  const note = useCallback((read: ReadonlyMap<string, FirstReplies>): void => setReplies((all) => new Map([...all, ...read])), []);
  const answered = comments.filter((comment) => comment.replyCount > 0).map(({ id }) => id);
  return (
    <>
      {Array.from({ length: Math.ceil(answered.length / COMMENTS_AT_ONCE) }, (_, index) => (
        <RepliesOf key={index} comments={answered.slice(index * COMMENTS_AT_ONCE, (index + 1) * COMMENTS_AT_ONCE)} onRead={note} />
      ))}
      {rows.map((comment, index) => (
        <li key={comment.id} {...(before === undefined ? {} : { 'aria-posinset': before + 1 + index, 'aria-setsize': -1 })}>
          <CommentCard comment={comment} replies={comment.replyCount > 0 ? replies.get(comment.id) : undefined} isGone={gone.has(comment.id)} place={place} version={version} />
        </li>
      ))}
    </>
  );
}

/** The first replies of several comments come together; those that were there stay until there are others. */
function RepliesOf({ comments, onRead }: { comments: readonly string[]; onRead: (read: ReadonlyMap<string, FirstReplies>) => void }) {
  const { data } = useRead(FIRST_REPLIES, { comments: [...comments] });
  useEffect(() => {
    if (data) onRead(new Map(data.nodes.flatMap((node) => (node?.__typename === 'Comment' ? [[node.id, node.replies] as const] : []))));
  }, [data, onRead]);
  return null;
}

export const commentElement = (id: string): Element | null => document.getElementById(`comment-${id}`);

export const CommentCards = (of: Conversation) => <ul className={css.thread}><CommentItems {...of} /></ul>;

interface Conversation {
  readonly comments: readonly CommentThreadFragment[];
  readonly known?: ReadonlySet<string>;
  readonly place: Place;
  readonly version: Version;
}

type FirstReplies = Extract<NonNullable<FirstRepliesQuery['nodes'][number]>, { __typename: 'Comment' }>['replies'];

/** Replies that came with others, and those behind them; one that is gone stays as long as somebody writes in it. */
function Answers({ place, comment, replies }: { place: Place; comment: CommentThreadFragment; replies: FirstReplies | undefined }) {
  const t = useTexts();
  const { hasNextPage, endCursor } = replies?.pageInfo ?? { hasNextPage: false, endCursor: null };
  const first = replies?.nodes ?? [];
  const rows = (nodes: readonly ReplyRowFragment[], before = 0): ReactNode => <ReplyItems place={place} comment={comment} replies={nodes} before={before} />;
  return (
    <>
      {rows(first)}
      {hasNextPage ? (
        <Portions
          query={REPLIES} variables={{ comment: comment.id }} pick={(data) => (data.node?.__typename === 'Comment' ? data.node.replies : null)}
          behind={{ count: first.length, end: endCursor }} kind="ul" className={css.replies} label={<>{t.showMore}<Of>{whatOf(t, comment)}</Of></>}
        >
          {rows}
        </Portions>
      ) : null}
    </>
  );
}

function ReplyItems({ place, comment, replies, before }: { place: Place; comment: CommentThreadFragment; replies: readonly ReplyRowFragment[]; before: number }) {
  const { rows, gone } = useStayingRows(comment.id, replies, commentElement);
  const items = rows.map((reply, index) => (
    <li key={reply.id} id={`comment-${reply.id}`} aria-posinset={before + index + 1} aria-setsize={comment.replyCount}>
      {gone.has(reply.id) ? <Gone /> : null}
      <Reply place={place} comment={comment} reply={reply} />
    </li>
  ));
  if (before > 0) return items;
  return items.length > 0 ? <ul className={css.replies}>{items}</ul> : null;
}

function Reply({ place, comment, reply }: { place: Place; comment: CommentThreadFragment; reply: ReplyRowFragment }) {
  const t = useTexts();
  const [{ fetching, error }, remove] = useMutation(DELETE_REPLY);
  const what = whatOf(t, reply);
  const editing = useEditing(what);
  const of = { space: place.space, change: place.change };
  const takeAway = async (): Promise<void> => {
    const result = await remove({ ...of, comment: comment.id, id: reply.id });
    if (!result.error) written();
  };
  return (
    <>
      <div className={css.replyHead}>
        <Face name={reply.postedBy.displayName} />
        <strong><bdi>{reply.postedBy.displayName}</bdi></strong>
        <span className={css.about}><Ago at={reply.postedAt} />{reply.editedAt ? ` · ${t.edited}` : ''}</span>
        {reply.permissions.edit ? editing.begin : null}
        {reply.permissions.delete ? (
          <DeleteButton what={what} isBusy={fetching} onDelete={() => void takeAway()} />
        ) : null}
      </div>
      {editing.isEditing ? <Editing place={of} comment={comment.id} reply={reply.id} onDone={editing.done} /> : <DocumentBody nodes={bodyOf(reply.body)} />}
      <Reactions subject={reply} allowed={comment.permissions.react} what={what} />
      <FailureNotice error={error} />
    </>
  );
}

function CommentCard({ comment, replies, isGone, place, version }: {
  comment: CommentThreadFragment; replies: FirstReplies | undefined; isGone: boolean; place: Place; version: Version;
}) {
  const t = useTexts();
  const [resolving, resolve] = useMutation(UPDATE);
  const [deleting, remove] = useMutation(DELETE);
  const resolved = comment.status === 'RESOLVED';
  const act = async (work: Promise<{ error?: unknown }>): Promise<void> => {
    const { error } = await work;
    if (!error) written();
  };
  const of = { space: place.space, change: place.change };
  const what = whatOf(t, comment);
  const editing = useEditing(what);
  const mayReply = useStill(comment.permissions.reply && !resolved);
  return (
    <article className={css.comment} aria-label={what} id={`comment-${comment.id}`}>
      {isGone ? <Gone /> : null}
      <header className={css.commentHead}>
        <Face name={comment.postedBy.displayName} />
        <strong><bdi>{comment.postedBy.displayName}</bdi></strong>
        <span className={css.about}><Ago at={comment.postedAt} />{comment.editedAt ? ` · ${t.edited}` : ''}</span>
        {resolved ? <Badge tone="good">{t.resolved}</Badge> : null}
        <span className="push" style={{ marginInlineStart: 'auto', display: 'flex', gap: '0.2rem' }}>
          {comment.permissions.edit ? editing.begin : null}
          {comment.permissions.resolve ? (
            <Button look="plain" isDisabled={resolving.fetching} onPress={() => void act(resolve({ ...of, id: comment.id, input: { resolved: !resolved } }))}>
              {resolved ? t.reopen : t.resolve}<Of>{what}</Of>
            </Button>
          ) : null}
          {comment.permissions.delete ? (
            <DeleteButton what={what} isBusy={deleting.fetching} onDelete={() => void act(remove({ ...of, id: comment.id }))} />
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
        {editing.isEditing ? <Editing place={of} comment={comment.id} onDone={editing.done} /> : <DocumentBody nodes={bodyOf(comment.body)} />}
        <Reactions subject={comment} allowed={comment.permissions.react} what={what} />
        <Answers place={place} comment={comment} replies={replies} />
        <FailureNotice error={resolving.error ?? deleting.error} />
        {mayReply ? <ReplyForm place={place} comment={comment.id} what={t.replyTo([comment.postedBy.displayName, excerptOf(comment.body)].filter(Boolean).join(': '))} /> : null}
      </div>
    </article>
  );
}
