/** My work: reviews that wait for me, my change requests, spaces that have changed lately. */

import { Suspense } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { Reading, Unread, useRead } from '../graph/reading.tsx';
import { useFollowing } from '../live/follow.ts';
import { pathOfAddress, toMine, toOrganization } from '../place.ts';
import { useOrganizations, useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { part } from '../ui/part.ts';
import { useTitle } from '../ui/title.ts';
import { Empty, More, Room, ui } from '../ui/ui.tsx';
import { ChangeRequestRows, Head, SpaceCards, views } from './parts.tsx';

const MY_WORK = graphql(`
  query MyWork($organization: ID!, $me: ID!, $asked: Int!, $afterAsked: String, $mine: Int!, $afterMine: String) {
    organization(id: $organization) {
      id
      title
      permissions { createContent }
      asked: changeRequests(first: $asked, after: $afterAsked, requestedReviewer: $me, status: [OPEN], orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...ChangeRequestRow }
        pageInfo { hasNextPage endCursor }
      }
      mine: changeRequests(first: $mine, after: $afterMine, creator: $me, status: [DRAFT, OPEN], orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...ChangeRequestRow }
        pageInfo { hasNextPage endCursor }
      }
      recent: spaces(first: 8, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...SpaceCard }
        pageInfo { hasNextPage }
      }
    }
  }
`);

const MENTIONS = graphql(`
  query MentionsOfMe {
    viewer { id notifications(first: 100, unread: true) { nodes { id kind updatedAt text { title url } space { id title } } pageInfo { hasNextPage } } }
  }
`);
const MOST_MENTIONS = 10;

/** Where I am mentioned and have not looked yet; nothing where I am not. */
function Mentions() {
  const t = useTexts();
  const result = useRead(MENTIONS, {});
  const unread = result.data?.viewer?.notifications;
  const all = (unread?.nodes ?? []).filter((notification) => notification.kind === 'MENTIONED');
  const mentions = all.slice(0, MOST_MENTIONS);
  if (unread === undefined) return <Unread {...result} />;
  // Among more than are read at once there may be some.
  if (mentions.length === 0 && !unread?.pageInfo.hasNextPage) return null;
  return (
    <section className={views.section}>
      <h2>{t.mentionsOfMe}</h2>
      <ul className={ui.rows}>
        {mentions.map(({ id, text, space, updatedAt }) => {
          const [path, title] = [pathOfAddress(text.url), <span key="title" className={ui.rowTitle}><bdi>{text.title}</bdi></span>];
          const about = <span key="about" className={ui.rowAbout}>{space ? <><bdi>{space.title}</bdi> · </> : null}<Ago at={updatedAt} /></span>;
          return (
            <li key={id}>
              {path === null ? <a className={ui.row} href={text.url}>{title}{about}</a> : <Link className={ui.row} href={path}>{title}{about}</Link>}
            </li>
          );
        })}
      </ul>
      {all.length > mentions.length || unread?.pageInfo.hasNextPage ? <p><Link href={toMine('notifications')}>{t.allNotifications}</Link></p> : null}
    </section>
  );
}

const CreateContent = part(() => import('../admin/space/create.tsx'));

function OfOrganization({ id, after, alone }: { id: string; after: string | null; alone: boolean }) {
  const t = useTexts();
  const viewer = useViewer();
  useFollowing(id, null, after);
  const askedList = useMore(20);
  const mineList = useMore(20);
  const result = useRead(MY_WORK, { organization: id, me: viewer.id, asked: askedList.first, afterAsked: askedList.after, mine: mineList.first, afterMine: mineList.after });
  return (
    <Reading result={result} pick={(data) => data.organization}>
      {(organization) => (
        <section aria-label={organization.title}>
          {alone ? null : <h2 dir="auto">{organization.title}</h2>}
          <div className={views.columns}>
            <section className={views.section}>
              <h2>{t.reviewsAskedOfMe}</h2>
              {organization.asked.nodes.length > 0 ? (
                <ChangeRequestRows rows={organization.asked.nodes} withSpace />
              ) : <Empty>{t.noReviewsAsked}</Empty>}
              <More list={askedList} info={organization.asked.pageInfo} what={t.reviewsAskedOfMe} />
            </section>
            <section className={views.section}>
              <h2>{t.myChangeRequests}</h2>
              {organization.mine.nodes.length > 0 ? (
                <ChangeRequestRows rows={organization.mine.nodes} withSpace />
              ) : <Empty>{t.noChangeRequestsOfMine}</Empty>}
              <More list={mineList} info={organization.mine.pageInfo} what={t.myChangeRequests} />
            </section>
          </div>
          <section className={views.section}>
            <h2>{t.recentlyChanged}</h2>
            {organization.recent.nodes.length > 0 ? (
              <>
                <SpaceCards spaces={organization.recent.nodes} />
                {organization.recent.pageInfo.hasNextPage ? <p><Link href={toOrganization(id)}>{t.allSpaces}</Link></p> : null}
              </>
            ) : (
              <>
                <Empty>{organization.permissions.createContent ? t.beginWithSpace : t.noSpaces}</Empty>
                {organization.permissions.createContent ? <Suspense fallback={<Room />}><CreateContent organization={id} /></Suspense> : null}
              </>
            )}
          </section>
        </section>
      )}
    </Reading>
  );
}

export function HomeView() {
  const t = useTexts();
  const viewer = useViewer();
  const list = useOrganizations();
  const organizations = viewer.organizations.nodes;
  useTitle(t.myWork);
  return (
    <>
      <Head title={t.myWork} />
      <Mentions />
      {organizations.length === 0 ? <Empty>{t.noOrganizations}</Empty> : null}
      {organizations.map((organization) => (
        <OfOrganization
          key={organization.id}
          id={organization.id}
          after={organization.events.nodes[0]?.id ?? null}
          alone={organizations.length === 1}
        />
      ))}
      <More list={list} info={viewer.organizations.pageInfo} what={t.organizations} />
    </>
  );
}
