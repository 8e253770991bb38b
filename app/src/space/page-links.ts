/** What the references of a page lead to: the first come with the page, those of long pages after it. */

import { useEffect, useMemo, useState } from 'react';
import { useClient } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import type { ResolvedLinkFragment } from '../graph/generated/graphql.ts';
import { type Version, versionArguments } from '../place.ts';

const MORE_LINKS = graphql(`
  query LinksOfPage($space: ID!, $page: ID!, $changeRequestId: ID, $revisionId: ID, $after: String) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId, revisionId: $revisionId) {
      id
      links(first: 500, after: $after) { nodes { ...ResolvedLink } pageInfo { hasNextPage endCursor } }
    }
  }
`);

interface First {
  readonly nodes: readonly ResolvedLinkFragment[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export function useLinks(space: string, version: Version, page: string, first: First | null): readonly ResolvedLinkFragment[] {
  const client = useClient();
  const [rest, setRest] = useState<readonly ResolvedLinkFragment[]>([]);
  useEffect(() => {
    let current = true;
    setRest([]);
    const readOn = async (): Promise<void> => {
      let portion = first?.pageInfo;
      while (current && portion?.hasNextPage) {
        const of = { space, page, after: portion.endCursor, ...versionArguments(version) };
        const { data } = await client.query(MORE_LINKS, of).toPromise();
        const more = data?.page?.links;
        if (!current || !more) return;
        setRest((before) => [...before, ...more.nodes]);
        portion = more.pageInfo;
      }
    };
    void readOn();
    return () => {
      current = false;
    };
  }, [client, space, version, first]);
  return useMemo(() => [...(first?.nodes ?? []), ...rest], [first, rest]);
}
