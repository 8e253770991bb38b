/** An organization: its collections, its spaces by their last change, its sites. */

import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useFollowing } from '../live/follow.ts';
import { toAdmin } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { useMore } from '../graph/more.ts';
import { useTitle } from '../ui/title.ts';
import { Button, Empty, looks, ui } from '../ui/ui.tsx';
import { CollectionCards, Head, SpaceCards, views } from './parts.tsx';

const ORGANIZATION = graphql(`
  query OrganizationView($id: ID!, $spaces: Int!) {
    organization(id: $id) {
      id
      title
      events(last: 1) { nodes { id } }
      collections(first: 200) { nodes { id title description } }
      spaces(first: $spaces, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...SpaceCard }
        pageInfo { hasNextPage }
      }
      sites(first: 100, published: true) { nodes { id title urls { published } } }
    }
  }
`);

export function OrganizationView({ id }: { id: string }) {
  const t = useTexts();
  const [spaces, more] = useMore();
  const result = useRead(ORGANIZATION, { id, spaces });
  const organization = result.data?.organization;
  useFollowing(organization ? id : null, null, organization?.events.nodes[0]?.id ?? null);
  useTitle(organization?.title);
  return (
    <Reading result={result} pick={(data) => data.organization}>
      {(row) => (
        <>
          <Head title={<bdi>{row.title}</bdi>} badges={<p><Link className={looks('normal')} href={toAdmin(row.id, 'people')}>{t.administration}</Link></p>} />
          {row.collections.nodes.length > 0 ? (
            <section className={views.section}>
              <h2>{t.collections}</h2>
              <CollectionCards rows={row.collections.nodes} />
            </section>
          ) : null}
          <section className={views.section}>
            <h2>{t.spaces}</h2>
            {row.spaces.nodes.length > 0 ? <SpaceCards spaces={row.spaces.nodes} /> : <Empty>{t.noSpaces}</Empty>}
            {row.spaces.pageInfo.hasNextPage && more ? <div><Button onPress={more}>{t.showMore}</Button></div> : null}
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
            </section>
          ) : null}
        </>
      )}
    </Reading>
  );
}
