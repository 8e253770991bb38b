/** A collection: what is in it. */

import { Suspense } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useFollowing } from '../live/follow.ts';
import { toCollection, toCollectionView, toOrganization } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { part } from '../ui/part.ts';
import { useTitle } from '../ui/title.ts';
import { Empty, looks, More, Room } from '../ui/ui.tsx';
import { CollectionCards, Head, SpaceCards, views } from './parts.tsx';

const COLLECTION = graphql(`
  query CollectionView($id: ID!, $spaces: Int!, $afterSpaces: String, $collections: Int!, $afterCollections: String) {
    collection(id: $id) {
      id
      title
      description
      permissions { create }
      organization { id title events(last: 1) { nodes { id } } }
      parent { id title }
      collections(first: $collections, after: $afterCollections) { nodes { id title description } pageInfo { hasNextPage endCursor } }
      spaces(first: $spaces, after: $afterSpaces) { nodes { ...SpaceCard } pageInfo { hasNextPage endCursor } }
    }
  }
`);

const CreateContent = part(() => import('../admin/space/create.tsx'));

export function CollectionView({ id }: { id: string }) {
  const t = useTexts();
  const spacesList = useMore();
  const collectionsList = useMore();
  const result = useRead(COLLECTION, { id, spaces: spacesList.first, afterSpaces: spacesList.after, collections: collectionsList.first, afterCollections: collectionsList.after });
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
            action={<Link className={looks('normal')} href={toCollectionView(row.id, 'people')}>{t.peopleAndRoles}</Link>}
            crumbs={[
              { href: toOrganization(row.organization.id), title: row.organization.title },
              ...(row.parent ? [{ href: toCollection(row.parent.id), title: row.parent.title }] : []),
            ]}
          />
          {row.collections.nodes.length > 0 ? (
            <section className={views.section}>
              <h2>{t.collections}</h2>
              <CollectionCards rows={row.collections.nodes} />
              <More list={collectionsList} info={row.collections.pageInfo} what={t.collections} />
            </section>
          ) : null}
          <section className={views.section}>
            <h2>{t.spaces}</h2>
            {row.permissions.create ? <Suspense fallback={<Room />}><CreateContent organization={row.organization.id} collection={row} /></Suspense> : null}
            {row.spaces.nodes.length > 0 ? <SpaceCards spaces={row.spaces.nodes} /> : <Empty>{t.noSpaces}</Empty>}
            <More list={spacesList} info={row.spaces.pageInfo} what={t.spaces} />
          </section>
        </>
      )}
    </Reading>
  );
}
