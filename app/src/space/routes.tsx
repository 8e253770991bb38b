/** Everything below the address of a space. */

import { Bell, FileInput, GitBranch, GitPullRequest, History, Link2Off, Users } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { SpaceFrameQuery } from '../graph/generated/graphql.ts';
import { Reading, useRead, Waiting } from '../graph/reading.tsx';
import { useFollowing } from '../live/follow.ts';
import { PRIMARY, toChange, toChanges, toHistory, toLinks, toRevision, toSpace, toSpaceView, type Version } from '../place.ts';
import { PlaceLink } from '../shell/places.tsx';
import { useSide } from '../shell/shell.tsx';
import shellCss from '../shell/shell.module.css';
import { useTexts } from '../texts/texts.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { part, useSoon } from '../ui/part.ts';
import { FailureView } from '../ui/failure.tsx';
import { useNarrow } from '../ui/narrow.ts';
import { PageView } from './page.tsx';
import { routeOf, type SpaceRoute } from './route.ts';
import css from './space.module.css';
import { PageTree } from './tree.tsx';

const AccessOfSpace = part(async () => ({ default: (await import('../admin/access.tsx')).AccessOfSpace }));
const BrokenLinksView = part(async () => ({ default: (await import('./links.tsx')).BrokenLinksView }));
const ChangesList = part(async () => ({ default: (await import('../review/list.tsx')).ChangesList }));
const ChangeView = part(() => import('../review/change.tsx'));
const GitView = part(() => import('../admin/space/git.tsx'));
const HistoryView = part(async () => ({ default: (await import('./history.tsx')).HistoryView }));
const ImportView = part(() => import('../admin/space/import.tsx'));
const SpaceNotifications = part(async () => ({ default: (await import('../admin/notifications.tsx')).SpaceNotifications }));
const RevisionView = part(() => import('./revision.tsx'));

const FRAME = graphql(`
  query SpaceFrame($id: ID!) {
    space(id: $id) {
      id
      title
      emoji
      changeRequestsOpen
      changeRequestsDraft
      organization { id title events(last: 1, space: $id) { nodes { id } } }
      parent { id title }
      effectiveRole { role }
      permissions { edit merge triggerGitSync }
      linkStats { broken { total } }
      urls { published }
    }
  }
`);

const CHANGE_FRAME = graphql(`
  query ChangeFrame($space: ID!, $number: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $number) { id number subject status }
    }
  }
`);

export type SpaceFrame = NonNullable<SpaceFrameQuery['space']>;

const WRITERS = new Set<unknown>(['EDIT', 'REVIEW', 'CREATE', 'ADMIN']);

/** Whether the viewer may propose changes; `permissions.edit` is about live edits alone. */
export const mayPropose = (space: SpaceFrame): boolean => WRITERS.has(space.effectiveRole?.role);

/** Whether they may write what readers have: live, or with the role that locked content needs. */
export const mayWrite = ({ permissions }: SpaceFrame): boolean => permissions.edit || permissions.merge;

/** Which version of the pages one sees, where it is not that of readers. */
function VersionNote({ space, version, title, isAbove = false }: { space: string; version: Version; title: string | null; isAbove?: boolean }) {
  const t = useTexts();
  if (version.kind === 'primary') return null;
  return (
    <p className={`${css.versionNote} ${isAbove ? css.above : ''}`}>
      <span>{version.kind === 'change' ? t.pagesOfChange(version.number) : t.pagesOfRevision}</span>
      <Link href={version.kind === 'change' ? toChange(space, version.number) : toRevision(space, version.id)}>
        <bdi>{title || t.details}</bdi>
      </Link>
      <Link href={toSpace(space)}>{t.backToPrimary}</Link>
    </p>
  );
}

function Side({ space, version, versionTitle, path }: {
  space: SpaceFrame; version: Version; versionTitle: string | null; path: string | null;
}) {
  const t = useTexts();
  const emoji = emojiOf(space.emoji);
  return (
    <div className={css.space}>
      <PlaceLink href="/" icon={<span aria-hidden="true">←</span>} title={t.myWork} />
      <Link className={css.title} href={toSpace(space.id)}>
        {emoji ? <span aria-hidden="true">{emoji}</span> : null}<bdi>{space.title}</bdi>
      </Link>
      <ul className={shellCss.nav}>
        <li><PlaceLink href={toChanges(space.id)} icon={<GitPullRequest size={16} aria-hidden />} title={t.changeRequests} count={space.changeRequestsOpen} /></li>
        <li><PlaceLink href={toHistory(space.id)} icon={<History size={16} aria-hidden />} title={t.history} /></li>
        <li><PlaceLink href={toLinks(space.id)} icon={<Link2Off size={16} aria-hidden />} title={t.brokenLinks} count={space.linkStats.broken.total} /></li>
        {mayPropose(space) ? <li><PlaceLink href={toSpaceView(space.id, 'import')} icon={<FileInput size={16} aria-hidden />} title={t.importPages} /></li> : null}
        {space.permissions.triggerGitSync ? <li><PlaceLink href={toSpaceView(space.id, 'git')} icon={<GitBranch size={16} aria-hidden />} title={t.git} /></li> : null}
        <li><PlaceLink href={toSpaceView(space.id, 'people')} icon={<Users size={16} aria-hidden />} title={t.peopleAndRoles} /></li>
        <li><PlaceLink href={toSpaceView(space.id, 'notifications')} icon={<Bell size={16} aria-hidden />} title={t.notifications} /></li>
      </ul>
      <p className={shellCss.heading}>{t.pages}</p>
      <VersionNote space={space.id} version={version} title={versionTitle} />
      <PageTree space={space.id} version={version} path={path} editable={version.kind !== 'revision' && mayPropose(space)} />
    </div>
  );
}

function pathOf(route: SpaceRoute): string | null {
  return 'path' in route ? route.path : null;
}

function View({ space, route, change }: { space: SpaceFrame; route: SpaceRoute; change: { id: string; number: number; subject: string } | null }) {
  const version = useMemo<Version>(() => {
    if (change !== null) return { kind: 'change', id: change.id, number: change.number };
    if (route.view === 'revision' || route.view === 'revision-page') return { kind: 'revision', id: route.id };
    return PRIMARY;
  }, [change?.id, change?.number, route.view, 'id' in route ? route.id : null]);
  const side = useMemo(
    () => <Side space={space} version={version} versionTitle={change?.subject ?? null} path={pathOf(route)} />,
    [space, version, change?.subject, pathOf(route)],
  );
  useSide(side);
  const isNarrow = useNarrow();
  useSoon(ChangesList, HistoryView, ChangeView, RevisionView, BrokenLinksView, AccessOfSpace, SpaceNotifications, ...(mayPropose(space) ? [ImportView] : []), ...(space.permissions.triggerGitSync ? [GitView] : []));
  switch (route.view) {
    case 'page':
    case 'change-page':
    case 'revision-page':
      return (
        <>
          {isNarrow ? <VersionNote space={space.id} version={version} title={change?.subject ?? null} isAbove /> : null}
          <PageView key={`${route.view} ${route.path}`} space={space} version={version} path={route.path} />
        </>
      );
    case 'changes':
      return <ChangesList space={space} />;
    case 'change':
      return change ? <ChangeView key={change.id} space={space} id={change.id} /> : null;
    case 'history':
      return <HistoryView space={space} />;
    case 'revision':
      return <RevisionView key={route.id} space={space} id={route.id} />;
    case 'links':
      return <BrokenLinksView space={space} />;
    case 'git':
      return space.permissions.triggerGitSync ? <GitView space={space} /> : <FailureView kind="forbidden" />;
    case 'import':
      return mayPropose(space) ? <ImportView space={space} /> : <FailureView kind="forbidden" />;
    case 'people':
      return <AccessOfSpace space={space} />;
    case 'notifications':
      return <SpaceNotifications space={space} />;
    default:
      return <FailureView kind="missing" />;
  }
}

function OfChange({ space, route, number }: { space: SpaceFrame; route: SpaceRoute; number: string }) {
  const result = useRead(CHANGE_FRAME, { space: space.id, number });
  return (
    <Reading result={result} pick={(data) => data.space?.changeRequest}>
      {(change) => <View space={space} route={route} change={change} />}
    </Reading>
  );
}

export default function SpaceRoutes({ id }: { id: string }) {
  const [location] = useLocation();
  const rest = location.slice(toSpace(id).length);
  const route = useMemo(() => routeOf(rest), [rest]);
  const result = useRead(FRAME, { id });
  const organization = result.data?.space?.organization;
  useFollowing(organization?.id ?? null, id, organization?.events.nodes[0]?.id ?? null);
  return (
    <Reading result={result} pick={(data) => data.space}>
      {(space) => (
        <Suspense fallback={<Waiting />}>
          {'number' in route ? <OfChange space={space} route={route} number={route.number} /> : <View space={space} route={route} change={null} />}
        </Suspense>
      )}
    </Reading>
  );
}
