/** What an address below a space is about. */

export type SpaceRoute =
  | { readonly view: 'page'; readonly path: string }
  | { readonly view: 'changes' }
  | { readonly view: 'change'; readonly number: string }
  | { readonly view: 'change-page'; readonly number: string; readonly path: string }
  | { readonly view: 'history' }
  | { readonly view: 'revision'; readonly id: string }
  | { readonly view: 'revision-page'; readonly id: string; readonly path: string }
  | { readonly view: 'links' }
  | { readonly view: 'git' | 'import' | 'notifications' | 'people' }
  | { readonly view: 'missing' };

/** A part of an address as it is meant; as it is written where it is no encoding of anything. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Read `rest`, the path behind `/s/SPACE`. `~` is no slug, so what begins with it is no page. */
export function routeOf(rest: string): SpaceRoute {
  const parts = rest.split('/').filter(Boolean).map(decoded);
  if (parts[0] !== '~') return { view: 'page', path: parts.join('/') };
  const [, kind, id, ...path] = parts;
  const page = path.join('/');
  switch (kind) {
    case 'links':
    case 'git':
    case 'import':
    case 'notifications':
    case 'people':
      return id === undefined ? { view: kind } : { view: 'missing' };
    case 'changes':
      if (id === undefined) return { view: 'changes' };
      return page ? { view: 'change-page', number: id, path: page } : { view: 'change', number: id };
    case 'revisions':
      if (id === undefined) return { view: 'history' };
      return page ? { view: 'revision-page', id, path: page } : { view: 'revision', id };
    default:
      return { view: 'missing' };
  }
}
