/** An organization: its collections, its spaces by their last change, its sites. */

import { Suspense } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useFollowing } from '../live/follow.ts';
import { toAdmin } from '../place.ts';
import { firstArea } from '../shell/areas.ts';
import { useTexts } from '../texts/texts.tsx';
import { useMore } from '../graph/more.ts';
import { part } from '../ui/part.ts';
import { useTitle } from '../ui/title.ts';
import { Empty, looks, More, Room, ui } from '../ui/ui.tsx';
import { CollectionCards, Head, SpaceCards, views } from './parts.tsx';

const ORGANIZATION = graphql(`
  query OrganizationView($id: ID!, $spaces: Int!, $afterSpaces: String, $collections: Int!, $afterCollections: String, $sites: Int!, $afterSites: String) {
    organization(id: $id) {
      id
      title
      events(last: 1) { nodes { id } }
      permissions { createContent admin listMembers listTeams listIntegrations }
      collections(first: $collections, after: $afterCollections) { nodes { id title description } pageInfo { hasNextPage endCursor } }
      spaces(first: $spaces, after: $afterSpaces, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...SpaceCard }
        pageInfo { hasNextPage endCursor }
      }
      sites(first: $sites, after: $afterSites, published: true) { nodes { id title urls { published } } pageInfo { hasNextPage endCursor } }
    }
  }
`);

const CreateContent = part(() => import('../admin/space/create.tsx'));

export function OrganizationView({ id }: { id: string }) {
  const t = useTexts();
  const spacesList = useMore();
  const collectionsList = useMore();
  const sitesList = useMore();
  const result = useRead(ORGANIZATION, { id, spaces: spacesList.first, afterSpaces: spacesList.after, collections: collectionsList.first, afterCollections: collectionsList.after, sites: sitesList.first, afterSites: sitesList.after });
  const organization = result.data?.organization;
  useFollowing(organization ? id : null, null, organization?.events.nodes[0]?.id ?? null);
  useTitle(organization?.title);
  return (
    <Reading result={result} pick={(data) => data.organization}>
      {(row) => (
        <>
          <Head title={<bdi>{row.title}</bdi>} action={<Link className={looks('normal')} href={toAdmin(row.id, firstArea(row))}>{t.administration}</Link>} />
          {row.collections.nodes.length > 0 ? (
            <section className={views.section}>
              <h2>{t.collections}</h2>
              <CollectionCards rows={row.collections.nodes} />
              <More list={collectionsList} info={row.collections.pageInfo} what={t.collections} />
            </section>
          ) : null}
          <section className={views.section}>
            <h2>{t.spaces}</h2>
            {row.permissions.createContent ? <Suspense fallback={<Room />}><CreateContent organization={row.id} /></Suspense> : null}
            {row.spaces.nodes.length > 0 ? <SpaceCards spaces={row.spaces.nodes} /> : <Empty>{t.noSpaces}</Empty>}
            <More list={spacesList} info={row.spaces.pageInfo} what={t.spaces} />
          </section>
          {row.sites.nodes.length > 0 ? (
            <section className={views.section}>
              <h2>{t.publishedSites}</h2>
              <ul className={ui.rows}>
                {row.sites.nodes.map((site) => (
                  <li key={site.id}>
                    {site.urls.published ? (
                      <a className={ui.row} href={site.urls.published}>
                        <span className={ui.rowTitle}><bdi>{site.title}</bdi></span>
                        <span className={ui.rowAbout}><bdi>{site.urls.published}</bdi></span>
                      </a>
                    ) : <span className={ui.row}><bdi>{site.title}</bdi></span>}
                  </li>
                ))}
              </ul>
              <More list={sitesList} info={row.sites.pageInfo} what={t.publishedSites} />
            </section>
          ) : null}
        </>
      )}
    </Reading>
  );
}
