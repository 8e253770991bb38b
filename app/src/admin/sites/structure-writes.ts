/** Writing moves of what stands on a site: shown at once, each in one write, taken back with the reason when one is refused, and undone. */

import { useCallback, useMemo, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { graphql } from '../../graph/generated/index.ts';
import { SiteContentDocument } from '../../graph/generated/graphql.ts';
import { refreshVisible } from '../../graph/visible.ts';
import { Gathered } from '../../space/gathered.ts';
import { type Destination, hereOf, type Levels, moveTo, placeOf } from '../../space/tree-moves.ts';
import { Turns } from '../../space/turns.ts';
import { type Item, sortOf } from './structure-moves.ts';

const SORT = graphql(`
  mutation SortSite($id: ID!, $input: SortSiteStructureInput!) { sortSiteStructure(id: $id, input: $input) { __typename } }
`);

interface Move {
  readonly id: string;
  readonly title: string;
  readonly to: Destination;
}
/** Something that was moved, and which of how many it is now. */
export interface Moved {
  readonly title: string;
  readonly place: number;
  readonly of: number;
}
/** What became of the last moves. */
export interface Outcome {
  readonly moved?: readonly Moved[];
  readonly isUndone?: boolean;
  readonly cannot?: boolean;
  readonly error?: CombinedError;
  readonly back?: readonly Move[];
}

function after(levels: Levels<Item>, { id, to }: Move): Levels<Item> {
  const next: Levels<Item> = new Map(levels);
  if (!next.has(to.parent)) next.set(to.parent, []);
  moveTo(next, id, to);
  return next;
}

export function useMoves(site: string, read: Levels<Item>) {
  const client = useClient();
  // Made, and not read yet.
  const [unread, setUnread] = useState<readonly Move[]>([]);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const levels = useMemo(() => unread.reduce(after, read), [unread, read]);
  // What is shown now, also between two drawings: keys come faster than those.
  const now = useRef(levels);
  now.current = levels;
  const turns = useRef(new Turns());
  // Written or refused, and not read yet.
  const sent = useRef<readonly Move[]>([]);
  const unsaid = useRef(new Gathered<Moved, Move>());

  const go = useCallback((move: Move, isUndoing: boolean): void => {
    const back = hereOf(now.current, move.id);
    const input = sortOf(now.current, move.id, move.to);
    if (input === null || back === null) return setOutcome({ cannot: true });
    now.current = after(now.current, move);
    const place = placeOf(now.current, move.id);
    setUnread((moves) => [...moves, move]);
    setOutcome(null);
    const readAnew = async (): Promise<void> => {
      // What is moved while it is read stays shown, and is read after it.
      const before = new Set(sent.current);
      await client.query(SiteContentDocument, { id: site }, { requestPolicy: 'network-only' }).toPromise();
      sent.current = sent.current.filter((other) => !before.has(other));
      setUnread((moves) => moves.filter((other) => !before.has(other)));
      refreshVisible();
    };
    void turns.current.take(async () => {
      sent.current = [...sent.current, move];
      const { error } = await client.mutation(SORT, { id: site, input }).toPromise();
      if (error) {
        unsaid.current.take();
        setOutcome({ error });
      } else unsaid.current.add('move', move.id, { title: move.title, place: (place?.index ?? 0) + 1, of: place?.pages.length ?? 1 }, [{ ...move, to: back }]);
      if (turns.current.isLast || error) await readAnew();
      if (!error && turns.current.isLast) {
        const { said, back } = unsaid.current.take();
        setOutcome(isUndoing ? { isUndone: true } : { moved: said, ...(back ? { back } : {}) });
      }
      return !error;
    }, () => setUnread((moves) => moves.filter((other) => other !== move)));
  }, [client, site]);

  const move = useCallback((id: string, to: Destination | null): void => {
    const item = placeOf(now.current, id)?.page;
    if (item === undefined || to === null) setOutcome({ cannot: true });
    else go({ id, title: item.title, to }, false);
  }, [go]);

  const undo = useCallback((back: readonly Move[]): void => {
    for (const move of back) go(move, true);
  }, [go]);
  return { levels, now, move, undo, outcome };
}
