/** Who is signed in, and the organizations that they belong to. */

import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { ViewerQuery } from '../graph/generated/graphql.ts';
import { Reading, useRead } from '../graph/reading.tsx';

const VIEWER = graphql(`
  query Viewer {
    viewer {
      id
      displayName
      email
      organizations(first: 20) {
        nodes {
          id
          title
          events(last: 1) { nodes { id } }
        }
        pageInfo { hasNextPage }
      }
    }
  }
`);

export type Viewer = NonNullable<ViewerQuery['viewer']>;

const Signed = createContext<Viewer | null>(null);

export function ViewerProvider({ children }: { children: ReactNode }) {
  const result = useRead(VIEWER, {});
  // Somebody else has signed in in another tab: nothing that was read for the first person stays here.
  const first = useRef<string | undefined>(undefined);
  const id = result.data?.viewer?.id;
  const isOther = id !== undefined && first.current !== undefined && first.current !== id;
  if (id !== undefined) first.current ??= id;
  useEffect(() => {
    if (isOther) window.location.reload();
  }, [isOther]);
  if (isOther) return null;
  return (
    <Reading result={result} pick={(data) => data.viewer}>
      {(viewer) => <Signed.Provider value={viewer}>{children}</Signed.Provider>}
    </Reading>
  );
}

export function useViewer(): Viewer {
  const viewer = useContext(Signed);
  if (viewer === null) throw new Error('nobody is signed in');
  return viewer;
}
