/** Where the application is served, and the addresses of its views. */

const meta = document.querySelector<HTMLMetaElement>('meta[name="docstead-prefix"]');

/** The path below which the service is reached; empty at the root of its host. */
export const PREFIX = meta?.content ?? '';

/** An address of this server outside of the application, such as an account page. */
export const outside = (path: string): string => PREFIX + path;

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export const toOrganization = (id: string): string => `/o/${id}`;
export const toCollection = (id: string): string => `/c/${id}`;
export const toSpace = (id: string): string => `/s/${id}`;
export const toPage = (space: string, path: string): string => `/s/${space}/${encoded(path)}`;
export const toHistory = (space: string): string => `/s/${space}/~/revisions`;
export const toRevision = (space: string, id: string): string => `/s/${space}/~/revisions/${id}`;
export const toLinks = (space: string): string => `/s/${space}/~/links`;
export const toChanges = (space: string): string => `/s/${space}/~/changes`;
/** A change request, by its number or its id. */
export const toChange = (space: string, number: number | string): string => `/s/${space}/~/changes/${number}`;

/** Which content of a space is looked at: what readers have, a change request's, a revision's. */
export type Version =
  | { readonly kind: 'primary' }
  | { readonly kind: 'change'; readonly number: number; readonly id: string }
  | { readonly kind: 'revision'; readonly id: string };

export const PRIMARY: Version = { kind: 'primary' };

/** The arguments by which the graph is asked for a version. */
export function versionArguments(version: Version): {
  changeRequestId: string | null;
  revisionId: string | null;
} {
  return {
    changeRequestId: version.kind === 'change' ? version.id : null,
    revisionId: version.kind === 'revision' ? version.id : null,
  };
}

/** The address of a page of a version; the landing page has an empty path in none of them. */
export function toPageOf(space: string, version: Version, path: string): string {
  if (version.kind === 'change') return `${toChange(space, version.number)}/${encoded(path)}`;
  if (version.kind === 'revision') return `${toRevision(space, version.id)}/${encoded(path)}`;
  return toPage(space, path);
}

/** The path inside of the application of an address that the graph gives (`urls.app`). */
export function pathOfAddress(url: string): string | null {
  const address = new URL(url, window.location.href);
  if (address.origin !== window.location.origin || !address.pathname.startsWith(`${PREFIX}/`)) return null;
  return address.pathname.slice(PREFIX.length) + address.search + address.hash;
}

/** Administration of an organization, and what concerns whoever is signed in. */
export const toAdmin = (organization: string, view: string): string => `/o/${organization}/~/${view}`;
export const toSite = (organization: string, site: string): string => `/o/${organization}/sites/${site}`;
export const toSpecification = (organization: string, slug: string): string => `/o/${organization}/openapi/${encodeURIComponent(slug)}`;
export const toMine = (view: string): string => `/~/${view}`;
export const toCollectionView = (collection: string, view: string): string => `/c/${collection}/~/${view}`;
export const toSpaceView = (space: string, view: string): string => `/s/${space}/~/${view}`;
