/** Moving what stands on a site: which levels there are, where an item may go, and the write that brings it there. */

import type { SiteContentQuery, SortSiteStructureInput } from '../../graph/generated/graphql.ts';
import { type Destination, destinationOf, type Levels, placeOf, ROOT, type Standing, type Step } from '../../space/tree-moves.ts';

type Site = NonNullable<SiteContentQuery['site']>;
type Placed = Site['sections']['nodes'][number] | Site['sectionGroups']['nodes'][number] | Site['siteSpaces']['nodes'][number];

/** A space, a section or a group of a site; `pageId` is its id, as moving has it. */
export type Item = Placed & Standing;
export type Kind = Item['__typename'];

export const POINTERS: Record<Kind, string> = { SiteSpace: 'site-space', SiteSection: 'site-section', SiteSectionGroup: 'site-section-group' };

/** The levels of a site: sections and groups at the top, or spaces where it has no sections. */
export function levelsOf(site: Site): Levels<Item> {
  const items = new Map<string, Item>();
  const add = <One extends Placed>(placed: One): Item => {
    const item = { ...placed, pageId: placed.id } as Item;
    items.set(placed.id, item);
    return item;
  };
  const levels: Levels<Item> = new Map();
  const put = (parent: string, item: Item): void => void levels.set(parent, [...(levels.get(parent) ?? []), item]);
  for (const placed of [...site.sections.nodes, ...site.sectionGroups.nodes]) add(placed);
  if (site.structure.__typename === 'SiteSectionStructure') {
    for (const { id } of site.structure.items) {
      const item = items.get(id);
      if (item) put(ROOT, item);
    }
  }
  for (const group of site.sectionGroups.nodes) {
    for (const { id } of group.children) {
      const item = items.get(id);
      if (item) put(group.id, item);
    }
  }
  for (const placed of site.siteSpaces.nodes) put(placed.sectionId ?? ROOT, add(placed));
  return levels;
}

/** Spaces stand in sections, or on a site without any; sections and groups at the top or in groups, which nest one deep. */
export const mayStand = (levels: ReadonlyMap<string, readonly Item[]>) => (item: Standing, parent: Standing | null): boolean => {
  if (item.__typename === 'SiteSpace') return parent?.__typename === 'SiteSection';
  if (parent === null || item.__typename === 'SiteSection') return parent === null || parent.__typename === 'SiteSectionGroup';
  const isAtTop = placeOf(levels, parent.pageId)?.parent === ROOT;
  const holdsGroups = (levels.get(item.pageId) ?? []).some((item) => item.__typename === 'SiteSectionGroup');
  return parent.__typename === 'SiteSectionGroup' && isAtTop && !holdsGroups && parent.pageId !== item.pageId;
};

/** Sections in the order in which readers find them. */
function sectionsIn(levels: ReadonlyMap<string, readonly Item[]>, parent: string = ROOT): Item[] {
  return (levels.get(parent) ?? []).flatMap((item) => (item.__typename === 'SiteSection' ? [item] : sectionsIn(levels, item.pageId)));
}

/** Where a step leads to; spaces go on into the section above or below. */
export function stepFrom(levels: ReadonlyMap<string, readonly Item[]>, id: string, step: Step): Destination | null {
  const to = destinationOf(levels, id, step, mayStand(levels));
  const place = placeOf(levels, id);
  if (to !== null || place === null || place.parent === ROOT || place.page.__typename !== 'SiteSpace') return to;
  if (step !== 'up' && step !== 'down') return null;
  const sections = sectionsIn(levels);
  const next = sections[sections.findIndex((section) => section.pageId === place.parent) + (step === 'up' ? -1 : 1)];
  if (next === undefined) return null;
  const first = levels.get(next.pageId)?.[0];
  return step === 'down' && first ? { parent: next.pageId, before: first.pageId } : { parent: next.pageId };
}

const pointer = (item: Item) => ({ type: POINTERS[item.__typename], id: item.pageId });

/** What is written to bring an item to a place; null where it may not stand there. */
export function sortOf(levels: ReadonlyMap<string, readonly Item[]>, id: string, to: Destination): SortSiteStructureInput | null {
  const place = placeOf(levels, id);
  if (place === null) return null;
  const above = to.parent === ROOT ? null : (placeOf(levels, to.parent)?.page ?? null);
  const isElsewhere = place.parent !== to.parent;
  if (isElsewhere && !mayStand(levels)(place.page, above)) return null;
  const beside = placeOf(levels, to.before ?? to.after ?? '')?.page;
  return {
    item: pointer(place.page),
    ...(isElsewhere ? { parent: above === null ? null : pointer(above) } : {}),
    ...(beside ? { position: to.before ? { before: pointer(beside) } : { after: pointer(beside) } } : {}),
  };
}
