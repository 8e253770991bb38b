/**
 * Moving in levels of a tree: where a page stands, where it may go, and the levels after it went. What stands on
 * a site is moved by the same rules.
 */

/** Key of the level at the top. */
export const ROOT = '';

/** What moving has to know of a page. */
export interface Standing {
  readonly pageId: string;
  readonly __typename: string;
  readonly title: string;
}
export type Levels<Page extends Standing> = Map<string, readonly Page[]>;

/** Below what a page is put, and directly before or after which one; behind all when neither is said. */
export interface Destination {
  readonly parent: string;
  readonly before?: string;
  readonly after?: string;
}

export type Step = 'up' | 'down' | 'in' | 'out';

export function placeOf<Page extends Standing>(levels: ReadonlyMap<string, readonly Page[]>, id: string) {
  for (const [parent, pages] of levels) {
    const index = pages.findIndex((page) => page.pageId === id);
    const page = pages[index];
    if (page !== undefined) return { parent, index, page, pages };
  }
  return null;
}

/** Groups stand at the top alone, and pages below pages and groups. */
export const mayStandBelow = (page: Standing, parent: Standing | null): boolean =>
  parent === null || (page.__typename !== 'GroupPage' && (parent.__typename === 'DocumentPage' || parent.__typename === 'GroupPage'));

/** Where a step leads to; null where there is nothing that way. */
export function destinationOf<Page extends Standing>(
  levels: ReadonlyMap<string, readonly Page[]>, id: string, step: Step, may: (page: Standing, parent: Standing | null) => boolean = mayStandBelow,
): Destination | null {
  const place = placeOf(levels, id);
  if (place === null) return null;
  const { parent, index, page, pages } = place;
  const before = pages[index - 1];
  const after = pages[index + 1];
  switch (step) {
    case 'up':
      return before ? { parent, before: before.pageId } : null;
    case 'down':
      return after ? { parent, after: after.pageId } : null;
    case 'in':
      return before && may(page, before) ? { parent: before.pageId } : null;
    case 'out': {
      if (parent === ROOT) return null;
      const above = placeOf(levels, parent);
      const over = above ? (placeOf(levels, above.parent)?.page ?? null) : null;
      return above && may(page, over) ? { parent: above.parent, after: parent } : null;
    }
  }
}

/** Where a page stands now, to go back to. */
export function hereOf<Page extends Standing>(levels: ReadonlyMap<string, readonly Page[]>, id: string): Destination | null {
  const place = placeOf(levels, id);
  if (place === null) return null;
  const { parent, index, pages } = place;
  const before = pages[index - 1];
  const after = pages[index + 1];
  return before ? { parent, after: before.pageId } : after ? { parent, before: after.pageId } : { parent };
}

/** Whether a page is, or stands below, another one. */
export function isWithin<Page extends Standing>(levels: ReadonlyMap<string, readonly Page[]>, id: string, above: string): boolean {
  for (let at: string | undefined = id; at !== undefined && at !== ROOT; at = placeOf(levels, at)?.parent) {
    if (at === above) return true;
  }
  return false;
}

/** Take a page out of its level. */
export function takeOut<Page extends Standing>(levels: Levels<Page>, id: string): Page | null {
  const place = placeOf(levels, id);
  if (place === null) return null;
  levels.set(place.parent, place.pages.filter((page) => page.pageId !== id));
  return place.page;
}

/** Put a page where it goes: at once, also in a level that is not read yet, where it stands alone until then. */
export function moveTo<Page extends Standing>(levels: Levels<Page>, id: string, to: Destination): void {
  const page = takeOut(levels, id);
  if (page === null) return;
  const level = levels.get(to.parent) ?? [];
  const beside = level.findIndex((page) => page.pageId === (to.before ?? to.after));
  const at = beside === -1 ? level.length : to.before === undefined ? beside + 1 : beside;
  levels.set(to.parent, [...level.slice(0, at), page, ...level.slice(at)]);
}

/** Another title of a page. */
export function retitle<Page extends Standing>(levels: Levels<Page>, id: string, title: string): void {
  const place = placeOf(levels, id);
  if (place === null) return;
  levels.set(place.parent, place.pages.map((page) => (page.pageId === id ? { ...page, title } : page)));
}

/** Pages above a path that are read, from the top. */
export function above<Page extends Standing & { readonly path?: string | null }>(levels: ReadonlyMap<string, readonly Page[]>, path: string, may: (page: Page) => boolean = () => true): string[] {
  const ids: string[] = [];
  let level = levels.get(ROOT);
  for (;;) {
    const next = level?.find((page) => may(page) && page.path && path.startsWith(`${page.path}/`));
    if (next === undefined) return ids;
    ids.push(next.pageId);
    level = levels.get(next.pageId);
  }
}

/** Whether a page is in sight: all that stands above it is open. */
export function isOpenTo<Page extends Standing>(levels: ReadonlyMap<string, readonly Page[]>, open: ReadonlySet<string>, id: string): boolean {
  let place = placeOf(levels, id);
  while (place !== null && place.parent !== ROOT) {
    if (!open.has(place.parent)) return false;
    place = placeOf(levels, place.parent);
  }
  return place !== null;
}
