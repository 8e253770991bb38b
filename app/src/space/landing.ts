/** The landing page stands at the address of its space, which has no path: which page of the tree that is. */

import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { type Version, versionArguments } from '../place.ts';

const LANDING_PATH = graphql(`
  query LandingPath($space: ID!, $changeRequestId: ID, $revisionId: ID) {
    revision(spaceId: $space, id: $revisionId, changeRequestId: $changeRequestId) { id landingPage { id path } }
  }
`);

/** The path of the page that is shown: that of the landing page in place of none, once it is known. */
export function useShownPath(space: string, version: Version, path: string | null): string | null {
  const result = useRead(LANDING_PATH, { space, ...versionArguments(version) }, path !== '');
  return path === '' ? (result.data?.revision?.landingPage?.path ?? '') : path;
}
