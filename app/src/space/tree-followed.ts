/** Pages that have gone to another place of a tree: the way to them is opened, it is said, and the focus goes along. */

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { above, isOpenTo, placeOf, ROOT } from './tree-moves.ts';
import type { Snapshot, TreeStore } from './tree-store.ts';

/** Frames in which a windowed tree that was made anew has drawn the row that had the focus. */
const MOST_FRAMES = 10;
/** Pages that others have moved at once and that are looked for; of more only those that somebody looks at. */
const MOST_SOUGHT = 5;

export function goToRow(frame: HTMLElement | null, key: string, top: number, frames = MOST_FRAMES): void {
  const tree = frame?.querySelector('[role=treegrid]');
  if (!frame || !tree) return;
  const row = frame.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(key)}"]`);
  if (row === null || frames === MOST_FRAMES) tree.scrollTop = top;
  if (row) row.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => goToRow(frame, key, top, frames - 1));
}

/** Whether the focus is where it goes when what had it is gone, or in the tree. */
function isFree(frame: HTMLElement | null): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || frame?.contains(active) === true || active.matches('h1, h2, h3, #content');
}

/** So long a tree may take to have drawn a row anew, which loses the focus with what it was before. */
const DRAWN_MS = 1_500;

/** What has the focus so soon behind a key was given it by that. */
const BY_HAND_MS = 500;
/** So long a page is followed that has gone elsewhere: it is written, and then read anew. */
const FOLLOWED_MS = 8_000;

/** The row has the focus, and keeps it while it is drawn anew. */
function hold(frame: HTMLElement | null, key: string, top: number, held: { current: Element | null }, onLeft: () => void): () => void {
  const end = performance.now() + DRAWN_MS;
  let isOver = false;
  const stop = (): void => void (isOver = true);
  const look = (): void => {
    if (isOver) return;
    // A menu gives the focus back when it has closed.
    const isBusy = document.activeElement?.closest('[role=menu]') != null;
    if (performance.now() > end || !(isBusy || isFree(frame))) return stop();
    const row = frame?.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(key)}"]`);
    const has = document.activeElement?.closest('[role=row]');
    // A row that had the focus, is still drawn and has it no more was left: by a program that reads the screen, for it presses no key.
    if (row && row === held.current && has && has !== row && frame?.contains(has)) {
      stop();
      return onLeft();
    }
    if (row && !isBusy && !row.contains(document.activeElement)) row.focus();
    if (row?.contains(document.activeElement)) held.current = row;
    else if (!row) frame?.querySelector('[role=treegrid]')?.scrollTo({ top });
    requestAnimationFrame(look);
  };
  look();
  return stop;
}

interface Moved {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly until: number;
}

export function useFollowed({ store, levels, expanded, open, frame, shown, row }: {
  store: TreeStore; levels: Snapshot['levels']; expanded: ReadonlySet<string>; open: (ids: readonly string[]) => void;
  frame: RefObject<HTMLDivElement | null>;
  /** The page that is read beside the tree. */
  shown: string | null;
  /** How high a row is. */
  row: number;
}) {
  const t = useTexts();
  const [said, setSaid] = useState('');
  const [moved, setMoved] = useState<readonly Moved[]>([]);
  /** The row that has the focus, or had it when it was taken away. */
  const at = useRef<string | null>(null);
  const following = useRef<{ key: string; until: number } | null>(null);
  const stop = useRef<() => void>(() => undefined);
  /** The row that was given the focus, as it was drawn then. */
  const held = useRef<Element | null>(null);
  /** When somebody has done something last, and which row had the focus that another one has now without that: theirs was taken away. */
  const byHand = useRef(0);
  const lost = useRef<string | null>(null);
  // Whoever does something meanwhile has gone on.
  useEffect(() => {
    const end = (): void => {
      byHand.current = performance.now();
      following.current = null;
      stop.current();
    };
    document.addEventListener('keydown', end, true);
    document.addEventListener('pointerdown', end, true);
    return () => {
      end();
      document.removeEventListener('keydown', end, true);
      document.removeEventListener('pointerdown', end, true);
    };
  }, []);
  const before = useRef<{ store: TreeStore; parents: ReadonlyMap<string, string> } | null>(null);

  // What others have moved out of a level that is open.
  useEffect(() => {
    // What is shown before it is written is of oneself.
    if (store.isPretending) return;
    const parents = new Map([...levels].flatMap(([parent, pages]) => pages.map((page) => [page.pageId, parent] as const)));
    const old = before.current;
    before.current = { store, parents };
    if (old?.store !== store) {
      setMoved([]);
      following.current = null;
      return;
    }
    const gone = [...old.parents].filter(([id, parent]) => !parents.has(id) && (parent === ROOT || expanded.has(parent))).map(([id]) => id);
    const sought = gone.length > MOST_SOUGHT ? gone.filter((id) => id === at.current || id === shown) : gone;
    for (const id of sought) {
      void store.whereIs(id).then((page) => {
        if (page !== null && before.current?.store === store) setMoved((all) => [...all.filter((other) => other.id !== id), { ...page, until: performance.now() + FOLLOWED_MS }]);
      });
    }
  }, [store, levels]);

  // The way to them is read level by level.
  useEffect(() => {
    if (moved.length === 0) return;
    // One that is not there when all of it is read has gone on: nothing stays open for it.
    const sought = moved.filter(({ until }) => performance.now() < until);
    if (sought.length < moved.length) return setMoved(sought);
    open(moved.flatMap(({ path }) => above(levels, path)).filter((id) => !expanded.has(id)));
    const there = moved.filter(({ id }) => isOpenTo(levels, expanded, id));
    const [first] = there;
    if (first === undefined) return;
    for (const { id } of there) if (id === at.current || id === lost.current) following.current = { key: id, until: performance.now() + FOLLOWED_MS };
    setSaid(there.map(({ id, title }) => t.nowBelow(title, placeOf(levels, placeOf(levels, id)?.parent ?? ROOT)?.page.title ?? null)).join(' '));
    setMoved(moved.filter((page) => !there.includes(page)));
  }, [moved, levels, expanded]);

  useLayoutEffect(() => {
    const { key, until } = following.current ?? { key: '', until: 0 };
    if (performance.now() > until || !isOpenTo(levels, expanded, key)) return;
    stop.current();
    stop.current = hold(frame.current, key, Math.max(0, indexOf(levels, expanded, key) - 2) * row, held, () => {
      following.current = null;
    });
  }, [levels, expanded, moved]);

  /** One's own move: its new place is opened, and the focus goes along. */
  const follow = useCallback((id: string, parent: string): void => {
    following.current = { key: id, until: performance.now() + FOLLOWED_MS };
    if (parent !== ROOT) open([parent]);
  }, [open]);

  const onFocus = useCallback((key: string | null): void => {
    if (key !== at.current) lost.current = performance.now() - byHand.current < BY_HAND_MS ? null : at.current;
    at.current = key;
  }, []);
  return { follow, onFocus, said };
}

/** How many rows stand above one. */
function indexOf(levels: Snapshot['levels'], expanded: ReadonlySet<string>, id: string): number {
  let count = 0;
  const within = (parent: string): boolean => (levels.get(parent) ?? []).some((page) => {
    if (page.pageId === id) return true;
    count += 1;
    return expanded.has(page.pageId) && within(page.pageId);
  });
  within(ROOT);
  return count;
}
