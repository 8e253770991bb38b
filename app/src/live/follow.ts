/** Views follow what happens: each event of what is shown asks for it anew. */

import { useEffect } from 'react';
import { refreshSoon, stream } from './stream.ts';

const EVENTS = `subscription WorkbenchEvents($organization: ID!, $space: ID, $after: ID) {
  events(organizationId: $organization, space: $space, after: $after) { id }
}`;

export interface Followed {
  readonly organization: string;
  readonly space: string | null;
  /** The newest event when what is shown was asked for; null where there was none. */
  readonly after: string | null;
}

/** Follow events until the returned function is called. */
export const follow = ({ organization, space, after }: Followed): (() => void) =>
  stream<{ events: { id: string } | null }>({
    query: EVENTS,
    variables: (cursor) => ({ organization, space, after: cursor }),
    after,
    take: ({ events }) => {
      if (events !== null) refreshSoon();
      return events?.id ?? null;
    },
  });

/** Follow what a view shows while it is shown. */
export function useFollowing(organization: string | null, space: string | null, after: string | null): void {
  useEffect(() => {
    if (organization === null) return;
    return follow({ organization, space, after });
    // A later `after` is where the stream already is.
  }, [organization, space]);
}
