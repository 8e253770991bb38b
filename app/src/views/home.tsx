/** My work: reviews that wait for me, my change requests, spaces that have changed lately. */

import { graphql } from '../graph/generated/index.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useFollowing } from '../live/follow.ts';
import { useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useTitle } from '../ui/title.ts';
import { Empty } from '../ui/ui.tsx';
import { ChangeRequestRows, Head, SpaceCards, views } from './parts.tsx';

const MY_WORK = graphql(`
  query MyWork($organization: ID!, $me: ID!) {
    organization(id: $organization) {
      id
      title
      asked: changeRequests(first: 20, requestedReviewer: $me, status: [OPEN], orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...ChangeRequestRow }
      }
      mine: changeRequests(first: 20, creator: $me, status: [DRAFT, OPEN], orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...ChangeRequestRow }
      }
      recent: spaces(first: 8, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...SpaceCard }
      }
    }
  }
`);

function OfOrganization({ id, after, alone }: { id: string; after: string | null; alone: boolean }) {
  const t = useTexts();
  const viewer = useViewer();
  useFollowing(id, null, after);
  const result = useRead(MY_WORK, { organization: id, me: viewer.id });
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
            </section>
            <section className={views.section}>
              <h2>{t.myChangeRequests}</h2>
              {organization.mine.nodes.length > 0 ? (
                <ChangeRequestRows rows={organization.mine.nodes} withSpace />
              ) : <Empty>{t.noChangeRequestsOfMine}</Empty>}
            </section>
          </div>
          <section className={views.section}>
            <h2>{t.recentlyChanged}</h2>
            {organization.recent.nodes.length > 0 ? (
              <SpaceCards spaces={organization.recent.nodes} />
            ) : <Empty>{t.noSpaces}</Empty>}
          </section>
        </section>
      )}
    </Reading>
  );
}

export function HomeView() {
  const t = useTexts();
  const viewer = useViewer();
  const organizations = viewer.organizations.nodes;
  useTitle(t.myWork);
  return (
    <>
      <Head title={t.myWork} />
      {organizations.length === 0 ? <Empty>{t.noOrganizations}</Empty> : null}
      {organizations.map((one) => (
        <OfOrganization
          key={one.id}
          id={one.id}
          after={one.events.nodes[0]?.id ?? null}
          alone={organizations.length === 1}
        />
      ))}
    </>
  );
}
