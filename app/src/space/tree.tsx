/** The page tree: windowed, by keyboard, open down to the page that is shown. */

import { ChevronRight, GripVertical } from 'lucide-react';
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import {
  Button, Collection, ListLayout, Tree as AriaTree, TreeItem, TreeItemContent, Virtualizer,
} from 'react-aria-components';
import { useClient } from 'urql';
import { Waiting } from '../graph/reading.tsx';
import { SAFE } from '../document/references.tsx';
import { PREFIX, toPageOf, type Version } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { part } from '../ui/part.ts';
import { Empty } from '../ui/ui.tsx';
import css from './space.module.css';
import type { Editing } from './tree-editing.tsx';
import { ROOT } from './tree-moves.ts';
import { hasBelow, type Snapshot, type TreePage, TreeStore } from './tree-store.ts';

const TreeEditing = part(() => import('./tree-editing.tsx'));

const ROW = 32;

interface Node {
  readonly id: string;
  readonly page: TreePage;
  readonly below: readonly Node[];
}

/** Nodes of a level; those below closed pages are left out. */
function nodesOf(levels: Snapshot['levels'], parent: string): Node[] {
  return (levels.get(parent) ?? []).map((page) => ({
    id: page.pageId, page, below: levels.has(page.pageId) ? nodesOf(levels, page.pageId) : [],
  }));
}

/** Pages above a path that are read, from the top. */
function above(levels: Snapshot['levels'], path: string): string[] {
  const found: string[] = [];
  let level = levels.get(ROOT);
  for (;;) {
    const next = level?.find((page) => hasBelow(page) && page.path && path.startsWith(`${page.path}/`));
    if (next === undefined) return found;
    found.push(next.pageId);
    level = levels.get(next.pageId);
  }
}

/** Frames in which a windowed tree that was made anew has drawn the row that had the focus. */
const MOST_FRAMES = 10;

/** Where somebody is in a tree: the row with the focus, and how far it is scrolled. */
interface Spot {
  readonly key: string;
  readonly top: number;
}

function spotIn(frame: HTMLElement | null): Spot | null {
  const row = document.activeElement?.closest('[role=row]');
  const key = row?.getAttribute('data-key');
  if (!frame || !row || !key || !frame.contains(row)) return null;
  return { key, top: frame.querySelector('[role=treegrid]')?.scrollTop ?? 0 };
}

function goBackTo(frame: HTMLElement | null, { key, top }: Spot, frames = MOST_FRAMES): void {
  const tree = frame?.querySelector('[role=treegrid]');
  if (!frame || !tree) return;
  tree.scrollTop = top;
  const row = frame.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(key)}"]`);
  if (row) row.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => goBackTo(frame, { key, top }, frames - 1));
}

export function PageTree({ space, version, path, editable }: {
  space: string; version: Version; path: string | null; editable: boolean;
}) {
  const t = useTexts();
  const client = useClient();
  const which = JSON.stringify(version);
  const store = useMemo(() => new TreeStore(client, space, JSON.parse(which) as Version), [client, space, which]);
  const { levels, error, ready } = useSyncExternalStore(store.listen, store.snapshot);
  const [editing, setEditing] = useState<Editing | null>(null);
  // The tree is made anew when it can be changed: whoever is in it by then stays where they are.
  const frame = useRef<HTMLDivElement>(null);
  const spot = useRef<Spot | null>(null);
  const isEditing = editing !== null;
  const begin = useCallback((next: Editing | null): void => {
    setEditing((before) => {
      if ((before === null) !== (next === null)) spot.current = spotIn(frame.current);
      return next;
    });
  }, []);
  useLayoutEffect(() => {
    if (spot.current) goBackTo(frame.current, spot.current);
    spot.current = null;
  }, [isEditing]);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    store.open(ROOT);
    for (const id of expanded) store.open(id);
    return () => store.closeAll();
    // Others are opened and closed as somebody does it.
  }, [store]);

  const change = (next: ReadonlySet<string>): void => {
    for (const id of next) store.open(id);
    for (const id of expanded) if (!next.has(id)) store.close(id);
    setExpanded(next);
  };

  // Levels above the page come one after the other; each is opened once, so it can be closed again.
  const [shownFor, setShownFor] = useState<string | null>(null);
  const wayTo = path === null ? [] : above(levels, path);
  const way = wayTo.join(' ');
  useEffect(() => {
    const key = `${path} ${way}`;
    if (path === null || key === shownFor) return;
    setShownFor(key);
    change(new Set([...expanded, ...wayTo]));
  });

  const nodes = useMemo(() => nodesOf(levels, ROOT), [levels]);
  const hrefOf = (page: TreePage): string | undefined => {
    if (page.__typename === 'LinkPage') return page.href && SAFE.test(page.href) ? page.href : undefined;
    return page.__typename === 'DocumentPage' ? PREFIX + toPageOf(space, version, page.path) : undefined;
  };
  const draw = (node: Node) => {
    const { page } = node;
    const current = page.path === path && page.__typename === 'DocumentPage';
    const parent = hasBelow(page);
    const href = hrefOf(page);
    return (
      <TreeItem
        id={node.id}
        textValue={page.title}
        className={css.treeItem ?? ''}
        hasChildItems={parent}
        data-current={current || undefined}
        {...(href === undefined ? {} : { href })}
      >
        <TreeItemContent>
          <span className={css.treeRow}>
            {editing ? <Button slot="drag" className={css.grip ?? ''}><GripVertical size={13} aria-hidden /></Button> : null}
            <Button slot="chevron" className={css.chevron ?? ''} data-hidden={!parent || undefined} aria-label={t.openOrClose}>
              <ChevronRight size={14} aria-hidden />
            </Button>
            {page.emoji ? <span aria-hidden="true">{emojiOf(page.emoji)}</span> : null}
            <bdi className={page.__typename === 'GroupPage' ? css.group : page.hidden ? css.faint : undefined}>{page.title}</bdi>
            {editing?.menuOf(page)}
            {current ? <span className="hidden-text"> ({t.currentPage})</span> : null}
          </span>
        </TreeItemContent>
        {/* A page whose level is not read yet has a row in its place: without one it could not be opened by keys. */}
        {parent && node.below.length === 0 ? (
          <TreeItem id={`${node.id} reading`} textValue={t.loading} className={css.treeItem ?? ''}>
            <TreeItemContent><span className={`${css.treeRow} ${css.faint}`}>{t.loading}</span></TreeItemContent>
          </TreeItem>
        ) : (
          <Collection items={node.below} dependencies={[path, which, t, editing]}>{draw}</Collection>
        )}
      </TreeItem>
    );
  };
  if (error && nodes.length === 0) return null;
  if (!ready) return <Waiting />;
  return (
    <>
      {editable ? (
        <Suspense fallback={null}>
          <TreeEditing space={space} version={version} store={store} levels={levels} onReady={begin} />
        </Suspense>
      ) : null}
      <div
        ref={frame}
        className={css.treeFrame}
        onKeyDownCapture={(event) => {
          const row = event.target instanceof HTMLElement ? event.target.closest('[role=row]') : null;
          if (row === event.target) editing?.onKey(event, row?.getAttribute('data-key') ?? null);
        }}
      >
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW }}>
          <AriaTree
            // Dragging is there from the beginning of a tree, or not at all.
            key={editing ? 'changing' : 'reading'}
            aria-label={t.pages}
            className={css.tree ?? ''}
            items={nodes}
            dependencies={[path, which, t, editing]}
            expandedKeys={expanded}
            onExpandedChange={(keys) => change(new Set([...keys].map(String)))}
            renderEmptyState={() => <Empty>{t.noPages}</Empty>}
            {...(editing ? { dragAndDropHooks: editing.hooks } : {})}
          >
            {draw}
          </AriaTree>
        </Virtualizer>
      </div>
    </>
  );
}
