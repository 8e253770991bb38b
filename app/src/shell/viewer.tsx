/** Who is signed in, and the organizations that they belong to. */

import { createContext, type ReactNode, useContext } from 'react';
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
