/** Broken links by what they stand on, so that whoever mends them goes from page to page. */

import type { BrokenLinksQuery, PlaceOfLinkFragment } from '../graph/generated/graphql.ts';

export type BrokenLink = NonNullable<BrokenLinksQuery['space']>['links']['nodes'][number];
export interface Standing {
  readonly link: BrokenLink;
  readonly place: PlaceOfLinkFragment;
}
export interface Group {
  readonly key: string;
  /** What they stand on, as a place without a block. */
  readonly on: PlaceOfLinkFragment;
  readonly title: string;
  readonly standing: readonly Standing[];
}

function nameOf(place: PlaceOfLinkFragment): { key: string; title: string } {
  switch (place.__typename) {
    case 'PageLocation':
      return { key: place.page?.id ?? '', title: place.page?.title ?? '' };
    case 'ReusableContentLocation':
      return { key: place.reusableContent?.id ?? '', title: place.reusableContent?.title ?? '' };
    default:
      return { key: place.__typename, title: '' };
  }
}

/** One group for each page, those with most links first; a link that stands twice on a page is there twice. */
export function groupsOf(links: readonly BrokenLink[]): Group[] {
  const groups = new Map<string, { key: string; on: PlaceOfLinkFragment; title: string; standing: Standing[] }>();
  for (const link of links) {
    for (const place of link.locations) {
      const { key, title } = nameOf(place);
      const group = groups.get(key) ?? { key, title, on: place.__typename === 'PageLocation' ? { ...place, internalLocation: null } : place, standing: [] };
      group.standing.push({ link, place });
      groups.set(key, group);
    }
  }
  return [...groups.values()].sort((group, other) => other.standing.length - group.standing.length || group.title.localeCompare(other.title));
}

/** The groups with what has the words in the title of the page or in what it leads to. */
export function filtered(groups: readonly Group[], words: string, kind: string, inWords: (link: BrokenLink) => string): Group[] {
  const has = (text: string): boolean => text.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase());
  return groups.flatMap((group) => {
    const standing = group.standing.filter(
      ({ link }) => (kind === '' || link.reference['kind'] === kind) && (has(group.title) || has(inWords(link))));
    return standing.length > 0 ? [{ ...group, standing }] : [];
  });
}
