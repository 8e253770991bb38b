/** What the references in a document lead to, as the graph has resolved them beside it. */

import { createContext, useContext } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { ResolvedLinkFragment } from '../graph/generated/graphql.ts';
import { toCollection, toPage, toPageOf, toSpace, type Version } from '../place.ts';
import { emojiOf } from '../ui/emoji.ts';
import type { ContentReference } from './model.ts';

export const RESOLVED_LINK = graphql(`
  fragment ResolvedLink on ContentLink {
    status
    reference
    typedReference {
      __typename
      ... on UrlReference { url }
      ... on PageReference { page { id title emoji path space { id } } }
      ... on AnchorReference { anchor page { id title emoji path space { id } } }
      ... on FileReference { file { id name contentType size downloadURL dimensions { width height } } }
      ... on ReusableContentReference { reusableContentId spaceId reusableContent { id title } }
      ... on SpaceReference { space { id title emoji } }
      ... on CollectionReference { collection { id title } }
      ... on UserReference { user { id displayName email } }
      ... on OpenAPIReference { specification }
      ... on TagReference { tag }
    }
  }
`);

/** What a reference is shown as. `href` is null where there is nothing to go to. */
export interface Target {
  readonly title: string;
  readonly href: string | null;
  /** Inside of the application. */
  readonly inside: boolean;
  readonly broken: boolean;
  readonly emoji: string | null;
  readonly file: { contentType: string; size: number; width: number | null; height: number | null } | null;
  /** What tells a person from others of the same name. */
  readonly about?: string | undefined;
}

/** Addresses that lead somewhere, and run nothing. */
export const SAFE = /^(?:https?|mailto|tel):/iu;
const plain = (title: string, href: string | null): Target => ({
  title, href, inside: false, broken: false, emoji: null, file: null,
});
const broken = (title: string): Target => ({ ...plain(title, null), broken: true });

/** Keys of objects in one order: the same reference has the same text, however it was written. */
export function keyOf(reference: unknown): string {
  if (typeof reference !== 'object' || reference === null) return JSON.stringify(reference);
  const entries = Object.entries(reference).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries);
}

interface PageThere {
  readonly title: string;
  readonly emoji: string | null;
  readonly path: string;
  readonly space: { readonly id: string } | null;
}

export function toThere(page: PageThere, space: string, version: Version, anchor: string): Target {
  const home = page.space?.id ?? space;
  const address = home === space ? toPageOf(space, version, page.path) : toPage(home, page.path);
  return { ...plain(page.title, address + anchor), inside: true, emoji: emojiOf(page.emoji) };
}

function targetOf(link: ResolvedLinkFragment, space: string, version: Version): Target {
  const to = link.typedReference;
  switch (to.__typename) {
    case 'UrlReference':
      return plain(to.url, SAFE.test(to.url) ? to.url : null);
    case 'PageReference':
      return to.page ? toThere(to.page, space, version, '') : broken('');
    case 'AnchorReference': {
      const anchor = `#${encodeURIComponent(to.anchor)}`;
      if (link.status === 'BROKEN') return broken(to.page?.title ?? anchor);
      return to.page ? toThere(to.page, space, version, anchor) : plain(anchor, anchor);
    }
    case 'FileReference': {
      if (to.file === null) return broken('');
      const { name, downloadURL, contentType, size, dimensions } = to.file;
      const { width = null, height = null } = dimensions ?? {};
      return { ...plain(name, downloadURL), file: { contentType, size, width, height } };
    }
    case 'ReusableContentReference':
      return to.reusableContent ? plain(to.reusableContent.title, null) : broken('');
    case 'SpaceReference':
      return to.space
        ? { ...plain(to.space.title, toSpace(to.space.id)), inside: true, emoji: emojiOf(to.space.emoji) }
        : broken('');
    case 'CollectionReference':
      return to.collection
        ? { ...plain(to.collection.title, toCollection(to.collection.id)), inside: true }
        : broken('');
    case 'UserReference':
      return to.user ? { ...plain(to.user.displayName, null), about: to.user.email ?? undefined } : broken('');
    case 'OpenAPIReference':
      return plain(to.specification, null);
    case 'TagReference':
      return plain(to.tag, null);
    default:
      return broken('');
  }
}

export interface References {
  readonly space: string;
  readonly version: Version;
  readonly links: readonly ResolvedLinkFragment[];
}

export type Resolve = (reference: ContentReference) => Target;

export function resolverOf({ space, version, links }: References): Resolve {
  const targets = new Map(links.map((link) => [keyOf(link.reference), link]));
  return (reference) => {
    const link = targets.get(keyOf(reference));
    if (link !== undefined) return targetOf(link, space, version);
    if (reference.kind === 'url') return plain(reference.url, SAFE.test(reference.url) ? reference.url : null);
    if (reference.kind === 'anchor' && reference.page === undefined) {
      return plain(reference.anchor, `#${encodeURIComponent(reference.anchor)}`);
    }
    // Not among the page's own references: of content that it includes.
    return plain('', null);
  };
}

export interface Reader {
  readonly space: string;
  readonly version: Version;
  readonly resolve: Resolve;
  /** Reusable contents that this stands in, the outermost first. */
  readonly inside: readonly string[];
  /** How many more of them are shown; it is shared by a whole page. */
  readonly insertions: { left: number };
}

const MOST_INSERTIONS = 200;
export const insertionsOfPage = (): { left: number } => ({ left: MOST_INSERTIONS });

/** Texts whose references are not read with them, such as comments: what leads out is an address still. */
export const nowhere: Reader = {
  space: '',
  version: { kind: 'primary' },
  resolve: resolverOf({ space: '', version: { kind: 'primary' }, links: [] }),
  inside: [],
  insertions: insertionsOfPage(),
};
export const ReaderContext = createContext<Reader>(nowhere);
export const useReader = (): Reader => useContext(ReaderContext);
