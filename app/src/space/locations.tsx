/** Places of links, as something to go to. */

import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { PlaceOfLinkFragment } from '../graph/generated/graphql.ts';
import { toCollection, toPage, toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';

export const PLACE_OF_LINK = graphql(`
  fragment PlaceOfLink on ContentLocation {
    __typename
    kind
    ... on PageLocation { space { id title } page { id title path } internalLocation { anchor } }
    ... on ReusableContentLocation { space { id title } reusableContent { id title } }
    ... on FileLocation { space { id title } file { id name } }
    ... on SpaceLocation { space { id title } }
    ... on CollectionLocation { collection { id title } }
    ... on UserLocation { user { id displayName } }
    ... on UrlLocation { url }
  }
`);

/** A key for lists; places have no id of their own. */
export function keyOfPlace(place: PlaceOfLinkFragment, index: number): string {
  return `${place.__typename} ${index}`;
}

export function PlaceOfLink({ place, home }: { place: PlaceOfLinkFragment; home: string }) {
  const t = useTexts();
  switch (place.__typename) {
    case 'PageLocation':
      if (!place.page || !place.space) return <>{t.somewhere}</>;
      return (
        <>
          <Link href={toPage(place.space.id, place.page.path) + (place.internalLocation?.anchor ? `#${encodeURIComponent(place.internalLocation.anchor)}` : '')}>
            <bdi>{place.page.title}</bdi>
          </Link>
          {place.space.id === home ? null : <> (<bdi>{place.space.title}</bdi>)</>}
        </>
      );
    case 'ReusableContentLocation':
      return <bdi>{place.reusableContent?.title ?? t.somewhere}</bdi>;
    case 'FileLocation':
      return <bdi>{place.file?.name ?? t.somewhere}</bdi>;
    case 'SpaceLocation':
      return place.space ? <Link href={toSpace(place.space.id)}><bdi>{place.space.title}</bdi></Link> : <>{t.somewhere}</>;
    case 'CollectionLocation':
      return place.collection ? <Link href={toCollection(place.collection.id)}><bdi>{place.collection.title}</bdi></Link> : <>{t.somewhere}</>;
    case 'UserLocation':
      return <bdi>{place.user?.displayName ?? t.somebody}</bdi>;
    case 'UrlLocation':
      return <bdi>{place.url}</bdi>;
    default:
      return <>{t.somewhere}</>;
  }
}
