/** One change request: what it says, the conversation, what it changes, and whether it can be merged. */

import { Pencil } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { DocumentBody } from '../document/blocks.tsx';
import type { Block } from '../document/model.ts';
import { graphql } from '../graph/generated/index.ts';
import type { ChangeRequestViewQuery } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { Portions } from '../graph/portions.tsx';
import { Reading, useRead, Waiting } from '../graph/reading.tsx';
import { useStill } from '../graph/staying.ts';
import { toChange, toChanges, toSpace, type Version } from '../place.ts';
import type { SpaceFrame } from '../space/routes.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { part, useSoon } from '../ui/part.ts';
import { useTitle } from '../ui/title.ts';
import { Badge, Button, Empty, looks } from '../ui/ui.tsx';
import { Head, StatusBadge } from '../views/parts.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItems } from './comments.tsx';
import { MergePanel } from './merge.tsx';
import css from './review.module.css';
import { Previews } from './preview.tsx';
import { Reviews } from './reviews.tsx';

/** Blocks of a description. */
export const blocksOf = (description: Record<string, unknown> | null): Block[] => (description?.['nodes'] ?? []) as Block[];

const DescribeForm = part(async () => ({ default: (await import('./describe.tsx')).DescribeForm }));
const Conflicts = part(async () => ({ default: (await import('./conflicts.tsx')).Conflicts }));
const ContentDifference = part(async () => ({ default: (await import('./difference.tsx')).ContentDifference }));

const VIEW = graphql(`
  query ChangeRequestView($space: ID!, $id: ID!, $reviews: Int!, $afterReviews: String, $waiting: Int!, $afterWaiting: String) {
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
        conflictsOpen: conflicts(first: 50, resolved: false) { nodes { ...Conflict } pageInfo { hasNextPage } totalCount }
        reviews(first: $reviews, after: $afterReviews) { nodes { ...ReviewRow } pageInfo { hasNextPage hasPreviousPage endCursor } }
        requestedReviewers(first: $waiting, after: $afterWaiting) { nodes { user { id displayName } createdAt } pageInfo { hasNextPage hasPreviousPage endCursor } }
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
  query ChangeRequestDifference($space: ID!, $id: ID!, $limit: Int!, $after: String) {
    space(id: $space) {
      id
      changeRequest(id: $id) { id changes(limit: $limit, after: $after) { ...Changes } }
    }
  }
`);

export type ChangeRequest = NonNullable<NonNullable<ChangeRequestViewQuery['space']>['changeRequest']>;

function Conversation({ space, change, version }: { space: SpaceFrame; change: ChangeRequest; version: Version }) {
  const t = useTexts();
  const place = { space: space.id, change: change.id };
  const mayComment = useStill(change.permissions.comment);
  return (
    <section aria-label={t.conversation} style={{ display: 'grid', gap: '1rem' }}>
      <Portions
        query={CONVERSATION} variables={{ space: space.id, id: change.id }} pick={(data) => data.space?.changeRequest?.comments}
        kind="ul" className={css.thread} label={t.showMore} empty={<Empty>{t.noComments}</Empty>}
        foot={mayComment ? <CommentForm on={{ space: space.id, change: change.id, page: null, node: null }} /> : null}
      >
        {(comments, before) => <CommentItems comments={comments} before={before} place={place} version={version} />}
      </Portions>
    </section>
  );
}

function Difference({ space, change, version }: { space: SpaceFrame; change: ChangeRequest; version: Version }) {
  const list = useMore(500);
  const result = useRead(DIFFERENCE, { space: space.id, id: change.id, limit: list.first, after: list.after });
  const commentOn = { space: space.id, change: change.id };
  return (
    <Reading result={result} pick={(data) => data.space?.changeRequest}>
      {(request) => (
        <Suspense fallback={<Waiting />}>
          <ContentDifference space={space.id} changes={request.changes} after={version} list={list} {...(change.permissions.comment ? { commentOn } : {})} />
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
  useSoon(DescribeForm, ContentDifference, Conflicts);
  const reviews = useMore(50, 500, id);
  const waiting = useMore(50, 500, id);
  const result = useRead(VIEW, { space: space.id, id, reviews: reviews.first, afterReviews: reviews.after, waiting: waiting.first, afterWaiting: waiting.after });
  const subject = result.data?.space?.changeRequest?.subject;
  useTitle(subject === undefined ? null : `${subject || t.withoutSubject} | ${space.title}`);
  return (
    <Reading result={result} pick={(data) => data.space?.changeRequest}>
      {(change) => {
        const version: Version = { kind: 'change', id: change.id, number: change.number };
        const conflicts = change.conflictsOpen.totalCount;
        const tab = TABS.find((option) => option === parameters.get('tab')) ?? 'conversation';
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
            {describing ? <Suspense fallback={<Waiting />}><DescribeForm space={space.id} change={change} onDone={() => setDescribing(false)} /></Suspense>
              : blocksOf(change.description).length > 0 ? <div style={{ marginBlockEnd: '1.4rem' }}><DocumentBody nodes={blocksOf(change.description)} /></div> : null}
            <nav className={css.tabs} aria-label={t.partsOfChange}>
              <Link href={address} aria-current={tab === 'conversation' ? 'page' : undefined}>{t.conversation}</Link>
              <Link href={`${address}?tab=changes`} aria-current={tab === 'changes' ? 'page' : undefined}>{t.changes}</Link>
              {conflicts > 0 || tab === 'conflicts' ? (
                <Link href={`${address}?tab=conflicts`} aria-current={tab === 'conflicts' ? 'page' : undefined}>{t.conflicts} {conflicts > 0 ? `(${conflicts})` : ''}</Link>
              ) : null}
            </nav>
            {tab === 'changes' ? <Difference space={space} change={change} version={version} />
              : tab === 'conflicts' ? <Suspense fallback={<Waiting />}><Conflicts space={space.id} change={change} /></Suspense>
              : (
                <div className={css.layout}>
                  <Conversation space={space} change={change} version={version} />
                  <aside className={css.side} aria-label={t.reviewAndMerge}>
                    <MergePanel space={space} change={change} conflicts={conflicts} />
                    <Reviews space={space.id} change={change} given={reviews} waiting={waiting} />
                    {change.status === 'MERGED' || change.status === 'ARCHIVED' ? null : <Previews space={space.id} change={change.id} />}
                  </aside>
                </div>
              )}
          </>
        );
      }}
    </Reading>
  );
}
