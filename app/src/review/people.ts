/** Everybody who may read a space, also where they are thousands: read by portions, once for all fields that ask for them. */

import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import type { PeopleOfSpaceQuery } from '../graph/generated/graphql.ts';

const PEOPLE = graphql(`
  query PeopleOfSpace($space: ID!, $after: String) {
    space(id: $space) { id people(first: 500, after: $after) { nodes { role user { id displayName email urls { location } } } pageInfo { hasNextPage endCursor } } }
  }
`);
/** Portions that are read: 20,000 people. */
const MOST_PORTIONS = 40;
/** So long they are not read again: who joins is there a minute later. */
const FRESH_MS = 60_000;

export type PersonOfSpace = NonNullable<PeopleOfSpaceQuery['space']>['people']['nodes'][number];

interface Crowd {
  readonly people: readonly PersonOfSpace[];
  readonly error: CombinedError | undefined;
  readonly isReading: boolean;
  /** Whether there are more than those. */
  readonly isMore: boolean;
}

interface Shared {
  crowd: Crowd;
  readAt: number;
  readonly listeners: Set<() => void>;
}

const NOBODY: Crowd = { people: [], error: undefined, isReading: false, isMore: false };
const bySpace = new Map<string, Shared>();

function sharedOf(space: string): Shared {
  let shared = bySpace.get(space);
  if (shared === undefined) bySpace.set(space, shared = { crowd: NOBODY, readAt: Number.NEGATIVE_INFINITY, listeners: new Set() });
  return shared;
}

async function read(client: Client, space: string): Promise<void> {
  const shared = sharedOf(space);
  if (shared.crowd.isReading || performance.now() - shared.readAt < FRESH_MS) return;
  // Those of spaces that nobody writes in any more are forgotten.
  for (const [other, { listeners }] of bySpace) if (other !== space && listeners.size === 0) bySpace.delete(other);
  const show = (crowd: Partial<Crowd>): void => {
    shared.crowd = { ...shared.crowd, ...crowd };
    for (const listener of shared.listeners) listener();
  };
  show({ isReading: true });
  let after: string | null = null;
  let people: readonly PersonOfSpace[] = [];
  for (let portion = 0; portion < MOST_PORTIONS && shared.listeners.size > 0; portion += 1) {
    const { data, error }: { data?: PeopleOfSpaceQuery; error?: CombinedError } = await client.query(PEOPLE, { space, after }, { requestPolicy: 'network-only' }).toPromise();
    if (!data?.space) {
      show({ error });
      break;
    }
    const page: NonNullable<PeopleOfSpaceQuery['space']>['people'] = data.space.people;
    people = [...people, ...page.nodes];
    const isMore = page.pageInfo.hasNextPage;
    // Those who were there before stay until as many are read again.
    if (people.length > shared.crowd.people.length || !isMore) show({ people, isMore, error: undefined });
    if (!isMore || portion === MOST_PORTIONS - 1) {
      shared.readAt = performance.now();
      break;
    }
    after = page.pageInfo.endCursor;
  }
  show({ isReading: false });
}

export function usePeople(space: string, isAsked: boolean): Crowd & { readonly again: () => void } {
  const client = useClient();
  const listen = useCallback((listener: () => void) => {
    const { listeners } = sharedOf(space);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, [space]);
  const crowd = useSyncExternalStore(
    listen,
    () => (isAsked ? (bySpace.get(space)?.crowd ?? NOBODY) : NOBODY),
  );
  useEffect(() => {
    if (isAsked) void read(client, space);
  }, [client, space, isAsked]);
  return { ...crowd, again: () => void read(client, space) };
}
