/** Places of links, as something to go to. */

import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { PlaceOfLinkFragment } from '../graph/generated/graphql.ts';
import { toCollection, toPage, toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';

/** Before the key of a block, in the part of an address behind `#`; no heading has such an anchor. */
export const BLOCK = '~block=';

export const PLACE_OF_LINK = graphql(`
  fragment PlaceOfLink on ContentLocation {
    __typename
    kind
    ... on PageLocation { space { id title } page { id title path } internalLocation { anchor node } }
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

/** The part of an address that leads to a place on a page: a heading, or a block. */
function partOf(place: Extract<PlaceOfLinkFragment, { __typename: 'PageLocation' }>): string {
  const { anchor, node } = place.internalLocation ?? {};
  return anchor ? `#${encodeURIComponent(anchor)}` : node ? `#${BLOCK}${encodeURIComponent(node)}` : '';
}

/** A link to the block that a link stands in, where it stands in one. */
export function ToPlace({ place, what }: { place: PlaceOfLinkFragment; what: string }) {
  const t = useTexts();
  if (place.__typename !== 'PageLocation' || !place.page || !place.space) return null;
  return <Link href={toPage(place.space.id, place.page.path) + partOf(place)} aria-label={`${t.goThere}: ${what}`}>{t.goThere}</Link>;
}

export function PlaceOfLink({ place, home }: { place: PlaceOfLinkFragment; home: string }) {
  const t = useTexts();
  switch (place.__typename) {
    case 'PageLocation':
      if (!place.page || !place.space) return <>{t.somewhere}</>;
      return (
        <>
          <Link href={toPage(place.space.id, place.page.path) + partOf(place)}>
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
