/** The page tree: windowed, by keyboard, open down to the page that is shown. */

import { ChevronRight, GripVertical } from 'lucide-react';
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import {
  Button, Collection, ListLayout, Tree as AriaTree, TreeItem, TreeItemContent, Virtualizer,
} from 'react-aria-components';
import { useClient } from 'urql';
import { Unread, useAgain, Waiting } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { SAFE } from '../document/references.tsx';
import { PREFIX, toPageOf, type Version } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { useMenuPress } from '../ui/menu-press.ts';
import { part } from '../ui/part.ts';
import { Empty } from '../ui/ui.tsx';
import { useShownPath } from './landing.ts';
import { RowFocus } from './row-focus.ts';
import css from './space.module.css';
import type { Editing } from './tree-editing.tsx';
import { useFollowed } from './tree-followed.ts';
import { above, ROOT } from './tree-moves.ts';
import { hasBelow, type Snapshot, type TreePage, TreeStore } from './tree-store.ts';

const TreeEditing = part(() => import('./tree-editing.tsx'));

/** As high as its styles have it: higher for fingers. */
const ROW = window.matchMedia('(pointer: coarse)').matches ? 44 : 32;

interface Node {
  readonly id: string;
  readonly page: TreePage;
  readonly below: readonly Node[];
}

/** The page of the row in which something is. */
const keyAt = (at: EventTarget | null): string | null =>
  (at instanceof Element ? at.closest('[role=row]')?.getAttribute('data-key') : null) ?? null;

/** Nodes of a level; those below closed pages are left out. */
function nodesOf(levels: Snapshot['levels'], parent: string): Node[] {
  return (levels.get(parent) ?? []).map((page) => ({
    id: page.pageId, page, below: levels.has(page.pageId) ? nodesOf(levels, page.pageId) : [],
  }));
}

export function PageTree({ space, version, path: address, editable }: {
  space: string; version: Version; path: string | null; editable: boolean;
}) {
  const t = useTexts();
  const client = useClient();
  const path = useShownPath(space, version, address);
  const which = JSON.stringify(version);
  const store = useMemo(() => new TreeStore(client, space, JSON.parse(which) as Version), [client, space, which]);
  const { levels, error, failed, ready } = useSyncExternalStore(store.listen, store.snapshot);
  useAgain(error, refreshVisible);
  const [editing, setEditing] = useState<Editing | null>(null);
  // The tree is made anew when it can be changed: whoever is in it by then stays where they are.
  const frame = useRef<HTMLDivElement>(null);
  const focus = useMemo(() => new RowFocus(() => frame.current), []);
  const top = useRef(0);
  const press = useMenuPress((at) => at.closest('[role=row]')?.querySelector<HTMLElement>(`.${css.more}`));
  const isEditing = editing !== null;
  const unreadLevels = [...failed].join(' ');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    store.open(ROOT);
    for (const id of expanded) store.open(id);
    return () => store.closeAll();
    // Others are opened and closed as somebody does it.
  }, [store]);

  // What is open now, for those who open more before it is drawn.
  const opened = useRef(expanded);
  const change = useCallback((next: ReadonlySet<string>): void => {
    for (const id of next) store.open(id);
    for (const id of opened.current) if (!next.has(id)) store.close(id);
    opened.current = next;
    setExpanded(next);
  }, [store]);
  const open = useCallback((ids: readonly string[]): void => {
    if (ids.some((id) => !opened.current.has(id))) change(new Set([...opened.current, ...ids]));
  }, [change]);
  const shown = path === null ? null : ([...levels.values()].flat().find((page) => page.path === path)?.pageId ?? null);
  const { follow, onFocus, said, last } = useFollowed({ store, levels, expanded, open, focus, shown, row: ROW });
  useLayoutEffect(() => {
    // The row that had the focus is gone by now.
    if (last.current && document.activeElement === document.body) focus.giveBack({ key: last.current, top: top.current });
  }, [isEditing]);

  // Levels above the page come one after the other; each is opened once, so it can be closed again.
  const [shownFor, setShownFor] = useState<string | null>(null);
  const wayTo = path === null ? [] : above(levels, path, hasBelow);
  const way = wayTo.join(' ');
  useEffect(() => {
    const key = `${path} ${way}`;
    if (path === null || key === shownFor) return;
    setShownFor(key);
    open(wayTo);
  });

  const nodes = useMemo(() => nodesOf(levels, ROOT), [levels]);
  const hrefOf = (page: TreePage): string | undefined => {
    if (page.__typename === 'LinkPage') return page.href && SAFE.test(page.href) ? page.href : undefined;
    return page.__typename === 'DocumentPage' ? PREFIX + toPageOf(space, version, page.path) : undefined;
  };
  const draw = (node: Node) => {
    const { page } = node;
    const current = page.path === path && page.__typename === 'DocumentPage';
    const parent = hasBelow(page) || node.below.length > 0;
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
          <TreeItem id={`${node.id} reading`} textValue={failed.has(node.id) ? t.notRead : t.loading} className={css.treeItem ?? ''}>
            <TreeItemContent><span className={`${css.treeRow} ${css.faint}`}>{failed.has(node.id) ? t.notRead : t.loading}</span></TreeItemContent>
          </TreeItem>
        ) : (
          <Collection items={node.below} dependencies={[path, which, t, editing, unreadLevels]}>{draw}</Collection>
        )}
      </TreeItem>
    );
  };
  const unread = failed.size > 0 ? <Unread error={error} again={refreshVisible} /> : null;
  if (error && nodes.length === 0) return unread;
  if (!ready) return <Waiting />;
  return (
    <>
      {editable ? (
        <Suspense fallback={null}>
          <TreeEditing space={space} version={version} store={store} levels={levels} onReady={setEditing} onMove={follow} />
        </Suspense>
      ) : null}
      <p className="hidden-text" role="status">{said}</p>
      {unread}
      <div
        {...press}
        ref={frame}
        className={css.treeFrame}
        onFocus={({ target, relatedTarget }) => onFocus(keyAt(target), keyAt(relatedTarget))}
        onScrollCapture={({ target }) => void (top.current = target instanceof Element ? target.scrollTop : 0)}
        onBlur={({ relatedTarget }) => relatedTarget !== null && frame.current?.contains(relatedTarget) !== true && onFocus(null)}
        onKeyDownCapture={(event) => {
          const row = event.target instanceof HTMLElement ? event.target.closest('[role=row]') : null;
          if (row === event.target) editing?.onKey(event, keyAt(row));
        }}
      >
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW }}>
          <AriaTree
            // Dragging is there from the beginning of a tree, or not at all.
            key={editing ? 'changing' : 'reading'}
            aria-label={t.pages}
            className={css.tree ?? ''}
            items={nodes}
            dependencies={[path, which, t, editing, unreadLevels]}
            expandedKeys={expanded}
            onExpandedChange={(keys) => change(new Set([...keys].map(String)))}
            renderEmptyState={() => (nodes.length === 0 ? <Empty>{t.noPages}</Empty> : null)}
            {...(editing ? { dragAndDropHooks: editing.hooks } : {})}
          >
            {draw}
          </AriaTree>
        </Virtualizer>
      </div>
    </>
  );
}
