/** A collection: what is in it. */

import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useFollowing } from '../live/follow.ts';
import { toCollection, toOrganization } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTitle } from '../ui/title.ts';
import { Button, Empty } from '../ui/ui.tsx';
import { CollectionCards, Head, SpaceCards, views } from './parts.tsx';

const COLLECTION = graphql(`
  query CollectionView($id: ID!, $spaces: Int!) {
    collection(id: $id) {
      id
      title
      description
      organization { id title events(last: 1) { nodes { id } } }
      parent { id title }
      collections(first: 200) { nodes { id title description } }
      spaces(first: $spaces) { nodes { ...SpaceCard } pageInfo { hasNextPage } }
    }
  }
`);

export function CollectionView({ id }: { id: string }) {
  const t = useTexts();
  const [spaces, more] = useMore();
  const result = useRead(COLLECTION, { id, spaces });
  const organization = result.data?.collection?.organization;
  useFollowing(organization?.id ?? null, null, organization?.events.nodes[0]?.id ?? null);
  useTitle(result.data?.collection?.title);
  return (
    <Reading result={result} pick={(data) => data.collection}>
      {(row) => (
        <>
          <Head
            title={<bdi>{row.title}</bdi>}
            lead={row.description}
            crumbs={[
              { href: toOrganization(row.organization.id), title: row.organization.title },
              ...(row.parent ? [{ href: toCollection(row.parent.id), title: row.parent.title }] : []),
            ]}
          />
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
        </>
      )}
    </Reading>
  );
}
