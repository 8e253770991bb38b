/** One change request: what it says, the conversation, what it changes, and whether it can be merged. */

import { Pencil } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMutation } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { DocumentBody } from '../document/blocks.tsx';
import type { Block } from '../document/model.ts';
import { graphql } from '../graph/generated/index.ts';
import type { ChangeRequestViewQuery } from '../graph/generated/graphql.ts';
import { Reading, useRead, Waiting } from '../graph/reading.tsx';
import { toChange, toChanges, toSpace, type Version } from '../place.ts';
import type { SpaceFrame } from '../space/routes.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { part } from '../ui/part.ts';
import { useTitle } from '../ui/title.ts';
import { Badge, Button, Empty, looks, ui } from '../ui/ui.tsx';
import { Head, StatusBadge } from '../views/parts.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentCards } from './comments.tsx';
import { Conflicts } from './conflicts.tsx';
import { MergePanel } from './merge.tsx';
import { useDraft } from './drafts.ts';
import css from './review.module.css';
import { Reviews } from './reviews.tsx';

const ContentDifference = part(async () => ({ default: (await import('./difference.tsx')).ContentDifference }));

const VIEW = graphql(`
  query ChangeRequestView($space: ID!, $id: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $id) {
        id
        number
        subject
        description
        status
        outdated
        createdAt
        updatedAt
        commentsOpen
        createdBy { id displayName }
        permissions { comment edit archive requestReviewers review merge }
        revision { id landingPage { id path } }
        conflictsOpen: conflicts(first: 50, resolved: false) { nodes { ...Conflict } pageInfo { hasNextPage } }
        reviews(first: 50) { nodes { ...ReviewRow } }
        requestedReviewers(first: 50) { nodes { user { id displayName } requestedBy { id displayName } createdAt } }
      }
    }
  }
`);

const CONVERSATION = graphql(`
  query Conversation($space: ID!, $id: ID!, $after: String) {
    space(id: $space) {
      id
      changeRequest(id: $id) {
        id
        comments(first: 40, after: $after, status: ALL, orderBy: { field: POSTED_AT, direction: ASC }) {
          nodes { ...CommentThread }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

const DIFFERENCE = graphql(`
  query ChangeRequestDifference($space: ID!, $id: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $id) { id changes(limit: 500) { ...Changes } }
    }
  }
`);

const DESCRIBE = graphql(`
  mutation DescribeChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id subject description updatedAt }
  }
`);

export type ChangeRequest = NonNullable<NonNullable<ChangeRequestViewQuery['space']>['changeRequest']>;

/** Paragraphs of a plain text as a document, which is what descriptions are. */
function documentOf(text: string): Record<string, unknown> {
  const paragraphs = text.split(/\n{2,}/u).map((part) => part.trim()).filter(Boolean);
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: paragraphs.map((part) => ({
      object: 'block', type: 'paragraph', isVoid: false, data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: part, marks: [] }] }],
    })),
  };
}

const blocksOf = (description: Record<string, unknown> | null): Block[] =>
  ((description?.['nodes'] ?? []) as Block[]);

/** Only plain paragraphs are edited as text; any other description keeps its form, and its subject is edited alone. */
function plainText(description: Record<string, unknown> | null): string | null {
  const parts = blocksOf(description).map((block) => {
    if (block.type !== 'paragraph' || block.nodes.some((node) => node.object !== 'text' || node.leaves.some((leaf) => leaf.marks.length > 0))) return null;
    return block.nodes.map((node) => (node.object === 'text' ? node.leaves.map((leaf) => leaf.text).join('') : '')).join('');
  });
  return parts.some((part) => part === null) ? null : parts.join('\n\n');
}

function DescribeForm({ space, change, onDone }: { space: string; change: ChangeRequest; onDone: () => void }) {
  const t = useTexts();
  const before = plainText(change.description);
  const [typed, setTyped, forgetSubject] = useDraft(`subject ${change.id}`);
  const [written, setWritten, forgetText] = useDraft(`description ${change.id}`);
  // What was typed before a crash, else what is there.
  const [subject, changeSubject] = useState(typed || change.subject);
  const [text, changeText] = useState(written || (before ?? ''));
  const setSubject = (next: string): void => {
    changeSubject(next);
    setTyped(next);
  };
  const setText = (next: string): void => {
    changeText(next);
    setWritten(next);
  };
  const finish = (): void => {
    forgetSubject(subject);
    forgetText(text);
    onDone();
  };
  const [{ fetching, error }, describe] = useMutation(DESCRIBE);
  const send = async (): Promise<void> => {
    const input = before === null || text === before ? { subject } : { subject, description: documentOf(text) };
    const result = await describe({ space, id: change.id, input });
    if (!result.error) finish();
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
        <label className={ui.field}>
          <span className={ui.label}>{t.description}</span>
          <textarea className={ui.input} value={text} dir="auto" onChange={(event) => setText(event.target.value)} />
        </label>
      )}
      <FailureNotice error={error} />
      <div className={ui.actions}>
        <Button onPress={finish}>{t.cancel}</Button>
        <Button look="primary" type="submit" isDisabled={fetching}>{t.save}</Button>
      </div>
    </form>
  );
}

/** One portion of the comments, and those behind it. */
function Comments({ space, change, version, after }: {
  space: SpaceFrame; change: ChangeRequest; version: Version; after: string | null;
}) {
  const t = useTexts();
  const [more, setMore] = useState(false);
  const result = useRead(CONVERSATION, { space: space.id, id: change.id, after });
  const place = { space: space.id, change: change.id };
  return (
    <Reading result={result} pick={(data) => data.space?.changeRequest?.comments}>
      {({ nodes, pageInfo }) => (
        <>
          {nodes.length === 0 ? <Empty>{t.noComments}</Empty> : (
            <CommentCards comments={nodes} place={place} version={version} />
          )}
          {pageInfo.hasNextPage ? (
            more ? <Comments space={space} change={change} version={version} after={pageInfo.endCursor} />
              : <div><Button onPress={() => setMore(true)}>{t.showMore}</Button></div>
          ) : null}
        </>
      )}
    </Reading>
  );
}

function Conversation({ space, change, version }: { space: SpaceFrame; change: ChangeRequest; version: Version }) {
  const t = useTexts();
  return (
    <section aria-label={t.conversation} style={{ display: 'grid', gap: '1rem' }}>
      <Comments space={space} change={change} version={version} after={null} />
      {change.permissions.comment ? <CommentForm on={{ space: space.id, change: change.id, page: null, node: null }} /> : null}
    </section>
  );
}

function Difference({ space, change, version }: { space: SpaceFrame; change: ChangeRequest; version: Version }) {
  const result = useRead(DIFFERENCE, { space: space.id, id: change.id });
  const commentOn = { space: space.id, change: change.id };
  return (
    <Reading result={result} pick={(data) => data.space?.changeRequest}>
      {(one) => (
        <Suspense fallback={<Waiting />}>
          <ContentDifference space={space.id} changes={one.changes} after={version} {...(change.permissions.comment ? { commentOn } : {})} />
        </Suspense>
      )}
    </Reading>
  );
}

const TABS = ['conversation', 'changes', 'conflicts'] as const;

export default function ChangeView({ space, id }: { space: SpaceFrame; id: string }) {
  const t = useTexts();
  const [parameters] = useSearchParams();
  const [describing, setDescribing] = useState(false);
  const result = useRead(VIEW, { space: space.id, id });
  const subject = result.data?.space?.changeRequest?.subject;
  useTitle(subject === undefined ? null : `${subject || t.withoutSubject} | ${space.title}`);
  return (
    <Reading result={result} pick={(data) => data.space?.changeRequest}>
      {(change) => {
        const version: Version = { kind: 'change', id: change.id, number: change.number };
        const conflicts = change.conflictsOpen.nodes.length;
        const tab = TABS.find((one) => one === parameters.get('tab')) ?? 'conversation';
        const address = toChange(space.id, change.number);
        return (
          <>
            <Head
              title={<bdi>{change.subject || t.withoutSubject}</bdi>}
              crumbs={[{ href: toSpace(space.id), title: space.title }, { href: toChanges(space.id), title: t.changeRequests }]}
              badges={
                <p style={{ display: 'flex', gap: '0.6rem', alignItems: 'center', flexWrap: 'wrap' }}>
                  <StatusBadge status={change.status} />
                  {change.outdated && change.status !== 'MERGED' ? <Badge tone="warn">{t.outdated}</Badge> : null}
                  <span className={css.about}>#{change.number} · <bdi>{change.createdBy.displayName}</bdi> · <Ago at={change.createdAt} /></span>
                  {change.permissions.edit && change.status !== 'MERGED' && !describing ? (
                    <Button look="plain" onPress={() => setDescribing(true)}><Pencil size={15} aria-hidden />{t.describe}</Button>
                  ) : null}
                  {change.revision?.landingPage ? <Link className={looks('normal')} href={`${address}/${change.revision.landingPage.path}`}>{t.readPages}</Link> : null}
                </p>
              }
            />
            {describing ? <DescribeForm space={space.id} change={change} onDone={() => setDescribing(false)} />
              : blocksOf(change.description).length > 0 ? <div style={{ marginBlockEnd: '1.4rem' }}><DocumentBody nodes={blocksOf(change.description)} /></div> : null}
            <nav className={css.tabs} aria-label={t.partsOfChange}>
              <Link href={address} aria-current={tab === 'conversation' ? 'page' : undefined}>{t.conversation}</Link>
              <Link href={`${address}?tab=changes`} aria-current={tab === 'changes' ? 'page' : undefined}>{t.changes}</Link>
              {conflicts > 0 || tab === 'conflicts' ? (
                <Link href={`${address}?tab=conflicts`} aria-current={tab === 'conflicts' ? 'page' : undefined}>{t.conflicts} {conflicts > 0 ? `(${conflicts})` : ''}</Link>
              ) : null}
            </nav>
            {tab === 'changes' ? <Difference space={space} change={change} version={version} />
              : tab === 'conflicts' ? <Conflicts space={space.id} change={change} />
              : (
                <div className={css.layout}>
                  <Conversation space={space} change={change} version={version} />
                  <aside className={css.side} aria-label={t.reviewAndMerge}>
                    <MergePanel space={space} change={change} conflicts={conflicts} />
                    <Reviews space={space.id} change={change} />
                  </aside>
                </div>
              )}
          </>
        );
      }}
    </Reading>
  );
}
