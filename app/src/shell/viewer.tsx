/** Who is signed in, and the organizations that they belong to. */

import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { ViewerQuery } from '../graph/generated/graphql.ts';
import { type List, useMore } from '../graph/more.ts';
import { writeAs } from '../graph/once.ts';
import { Reading, useRead } from '../graph/reading.tsx';

const VIEWER = graphql(`
  query Viewer($first: Int!, $after: String) {
    viewer {
      id
      displayName
      email
      organizations(first: $first, after: $after) {
        nodes {
          id
          title
          permissions { admin listMembers listTeams listIntegrations }
          events(last: 1) { nodes { id } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export type Viewer = NonNullable<ViewerQuery['viewer']>;

const Signed = createContext<{ readonly viewer: Viewer; readonly list: List } | null>(null);

export function ViewerProvider({ children }: { children: ReactNode }) {
  // So many organizations are followed and searched at once; those behind them are a part of their own.
  const list = useMore(20, 20);
  const result = useRead(VIEWER, { first: list.first, after: list.after });
  // Somebody else has signed in in another tab: nothing that was read for the first person stays here.
  const first = useRef<string | undefined>(undefined);
  const id = result.data?.viewer?.id;
  const isOther = id !== undefined && first.current !== undefined && first.current !== id;
  if (id !== undefined && first.current === undefined) {
    first.current = id;
    writeAs(id);
  }
  useEffect(() => {
    if (isOther) window.location.reload();
  }, [isOther]);
  if (isOther) return null;
  return (
    <Reading result={result} pick={(data) => data.viewer}>
      {(viewer) => <Signed.Provider value={{ viewer, list }}>{children}</Signed.Provider>}
    </Reading>
  );
}

function useSigned() {
  const signed = useContext(Signed);
  if (signed === null) throw new Error('nobody is signed in');
  return signed;
}

export const useViewer = (): Viewer => useSigned().viewer;
/** Which of the organizations of the person are shown. */
export const useOrganizations = (): List => useSigned().list;
