/** Changing the page tree: by menu, by keys, by dragging; loaded for who may propose changes. */

import { Ellipsis, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  Button as AriaButton, type DragAndDropHooks, type DragAndDropOptions, DropIndicator, Menu, MenuItem, MenuTrigger, Popover, useDragAndDrop,
} from 'react-aria-components';
import { useClient } from 'urql';
import { Link } from 'wouter';
import type { ContentOperationInput, NewPageType } from '../graph/generated/graphql.ts';
import { speak } from '../live/spoken.ts';
import { toChange, type Version } from '../place.ts';
import type { TreeTexts } from '../texts/tree/en.ts';
import { useTreeTexts } from '../texts/tree/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, Notice, ui } from '../ui/ui.tsx';
import { copyOf, GivenUp, MOST_COPIED, TooMany } from './duplicating.ts';
import css from './space.module.css';
import { type Asked, TreeDialog, type Turn } from './tree-dialog.tsx';
import {
  type Destination, destinationOf, hereOf, isWithin, mayStandBelow, moveTo, placeOf, retitle, ROOT, type Step, takeOut,
} from './tree-moves.ts';
import { type Said, say, useSaid } from './tree-said.ts';
import { hasBelow, type Snapshot, type TreePage, type TreeStore } from './tree-store.ts';
import { type Refusal, type TreeChange, useTreeWrites, useUndo } from './tree-writes.ts';

const DRAG_TYPE = 'application/x-docstead-page';
const KEYS: Record<string, Step> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' };

export interface Editing {
  readonly hooks: DragAndDropHooks;
  readonly menuOf: (page: TreePage) => ReactNode;
  readonly onKey: (event: KeyboardEvent, focused: string | null) => void;
}

const moveOperation = (page: string, to: Destination): ContentOperationInput => ({
  movePage: {
    page,
    parent: to.parent === ROOT ? null : to.parent,
    ...(to.before ? { position: { before: to.before } } : to.after ? { position: { after: to.after } } : {}),
  },
});

/** Which of how many it is there, in words; nothing where that level was not read yet. */
function placeIn(tree: TreeTexts, levels: Snapshot['levels'], id: string, to: Destination): string[] {
  if (!levels.has(to.parent)) return [];
  const after = new Map(levels);
  moveTo(after, id, to);
  const place = placeOf(after, id);
  return place ? [tree.place(place.index + 1, place.pages.length)] : [];
}

const spoken = new WeakSet<Said>();

function Outcome({ space, version }: { space: string; version: Version }) {
  const t = useTexts();
  const tree = useTreeTexts();
  const said = useSaid();
  const undo = useUndo(space);
  // Undone once, however often the button is pressed before the answer.
  const [undone, setUndone] = useState<unknown>(null);
  const isHere = said !== null && said.space === space;
  useEffect(() => {
    // Shown anew by the view of the change request, and in the navigation of phones as well: it is said once.
    if (!isHere || spoken.has(said) || said.error || said.isRefused || (said.going?.done ?? 0) > 0) return;
    spoken.add(said);
    speak([said.text, ...(said.begun === undefined ? [] : [tree.begun(said.begun)])].join(' '));
  }, [isHere, said, tree]);
  if (!isHere) return null;
  const undoIt = (): void => {
    if (!said.undo || undone === said.undo) return;
    setUndone(said.undo);
    void undo(said.undo.change, said.undo.operations, tree.done.undo);
  };
  const begun = said.begun === undefined ? null : <> <Link href={toChange(space, said.begun)}>{tree.begun(said.begun)}</Link></>;
  const isThere = said.undo && version.kind === 'change' && said.undo.change.id === version.id;
  return (
    <div className={css.outcome}>
      {said.error || said.isRefused ? (
        <>
          {said.text ? <p><bdi>{said.text}</bdi></p> : null}
          <p>{tree.takenBack}</p>
          {said.error ? <FailureNotice error={said.error} /> : <Notice tone="bad" role="alert">{t.failures.missing.advice}</Notice>}
          {begun ? <p>{tree.before}{begun}</p> : null}
        </>
      ) : (
        <Notice tone={said.going ? 'neutral' : 'good'}>
          <span>
            <bdi>{said.text}</bdi>
            {begun}
          </span>
          {said.going ? <progress aria-label={said.text} value={said.going.done} max={said.going.known} /> : null}
          {said.going?.cancel ? <span><Button onPress={said.going.cancel}>{t.cancel}</Button></span> : null}
          {isThere && said.undo ? (
            <span><Button onPress={undoIt} aria-disabled={undone === said.undo}>{tree.undo}</Button></span>
          ) : null}
        </Notice>
      )}
    </div>
  );
}

export default function TreeEditing({ space, version, store, levels, onReady, onMove }: {
  space: string; version: Version; store: TreeStore; levels: Snapshot['levels']; onReady: (editing: Editing | null) => void;
  /** A page goes below another one, and is to be seen there. */
  onMove: (page: string, parent: string) => void;
}) {
  const t = useTexts();
  const tree = useTreeTexts();
  const client = useClient();
  const write = useTreeWrites(space, version, store);
  // It stays when it is closed: a refusal that comes then brings it back.
  const [turn, setTurn] = useState<Turn | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = useCallback((asked: Asked): void => {
    setTurn((before) => ({ asked, number: (before?.number ?? 0) + 1 }));
    setAsking(true);
  }, []);
  // What is shown now, for handlers that live longer.
  const now = useRef(levels);
  now.current = levels;
  const pageOf = (id: string): TreePage | null => placeOf(now.current, id)?.page ?? null;

  const move = useCallback((id: string, to: Destination): void => {
    const page = pageOf(id);
    const back = hereOf(now.current, id);
    if (page === null || back === null) return;
    const below = to.parent === back.parent ? [] : [t.nowBelow(page.title, placeOf(now.current, to.parent)?.page.title ?? null)];
    void write({
      subject: tree.subjects.move(page.title), done: [tree.done.move(page.title), ...below, ...placeIn(tree, now.current, id, to)].join(' '),
      moves: id,
      operations: [moveOperation(id, to)],
      pretend: (shown) => moveTo(shown, id, to),
      undo: () => [moveOperation(id, back)],
    });
    onMove(id, to.parent);
  }, [write, tree, t, onMove]);

  const step = useCallback((id: string, way: Step): void => {
    const to = destinationOf(now.current, id, way);
    if (to === null) say({ space, text: tree.cannotMove });
    else move(id, to);
  }, [move, space, tree]);

  const duplicate = useCallback(async (page: TreePage, withBelow: boolean): Promise<void> => {
    const place = placeOf(now.current, page.pageId);
    if (place === null) return;
    const title = tree.copyOf(page.title);
    const at = { title, parent: place.parent === ROOT ? null : place.parent, position: { after: page.pageId } };
    const aborting = new AbortController();
    const tell = (done: number, all: number, cancel: (() => void) | null): void =>
      say({ space, text: cancel ? tree.reading(done, all) : tree.copying(done), going: { done, known: all, cancel } });
    const cancel = (): void => aborting.abort();
    try {
      tell(0, 1, cancel);
      const { operations, error } = await copyOf(client, page.id, at, withBelow, {
        signal: aborting.signal, onRead: (done, all) => tell(done, all, cancel),
      });
      if (operations === null) return say({ space, text: '', ...(error ? { error } : { isRefused: true }) });
      tell(operations.length, operations.length, null);
      await write({
        subject: tree.subjects.create(title), done: tree.done.create(title), operations, goes: true, isSaid: true,
        undo: (written) => written.created.slice(0, 1).map(({ contentId }) => ({ deletePage: { page: contentId } })),
      });
    } catch (fault) {
      if (fault instanceof GivenUp) say({ space, text: tree.copyGivenUp });
      else if (fault instanceof TooMany) say({ space, text: tree.tooManyToCopy(MOST_COPIED) });
      else throw fault;
    }
  }, [client, space, version, write, tree]);

  /** What was asked for is written; why not, where it is refused. */
  const send = (asked: Asked, title: string, address: string): Promise<Refusal | null> =>
    new Promise((onAnswer, onFault) => void write({ ...changeOf(asked, title, address), onAnswer }).catch(onFault));
  const changeOf = (asked: Asked, title: string, address: string): TreeChange => {
    if (asked.what === 'create') {
      const { type, parent } = asked;
      return {
        subject: tree.subjects.create(title), done: tree.done.create(title), goes: true,
        operations: [{
          createPage: {
            type, title, parent: parent === ROOT ? null : parent,
            ...(type === 'LINK' ? { target: { kind: 'url', url: address } } : {}),
          },
        }],
        undo: (written) => written.created.map(({ contentId }) => ({ deletePage: { page: contentId } })),
      };
    }
    const { page } = asked;
    if (asked.what === 'rename') {
      return {
        subject: tree.subjects.rename(page.title), done: tree.done.rename(title),
        operations: [{ renamePage: { page: page.pageId, title } }],
        pretend: (shown) => retitle(shown, page.pageId, title),
        undo: () => [{ renamePage: { page: page.pageId, title: page.title } }],
      };
    }
    const back = hereOf(now.current, page.pageId);
    return {
      subject: tree.subjects.remove(page.title), done: tree.done.remove(page.title),
      operations: [{ deletePage: { page: page.pageId } }],
      pretend: (shown) => void takeOut(shown, page.pageId),
      // The page first, then what stood below it; last to its place.
      undo: ({ revision, affectedPages }) => [
        ...affectedPages.map((affectedPage) => ({ revertPage: { page: affectedPage.pageId, revision: revision.parents[0] ?? null } })),
        ...(back ? [moveOperation(page.pageId, back)] : []),
      ],
    };
  };

  // The same hooks in each rendering: a tree does not begin anew while it is changed.
  const handler = useRef({ move, tree, space });
  handler.current = { move, tree, space };
  const dragging = useMemo<DragAndDropOptions<object>>(() => ({
    getItems: (keys) => [...keys].map((key) => ({ [DRAG_TYPE]: String(key), 'text/plain': pageOf(String(key))?.title ?? '' })),
    acceptedDragTypes: [DRAG_TYPE],
    getAllowedDropOperations: () => ['move'],
    shouldAcceptItemDrop: (target) => {
      const page = pageOf(String(target.key));
      return page !== null && (page.__typename === 'DocumentPage' || page.__typename === 'GroupPage');
    },
    onMove: ({ keys, target }) => {
      const id = String([...keys][0]);
      const page = pageOf(id);
      const beside = String(target.key);
      const place = placeOf(now.current, beside);
      if (page === null || place === null || beside === id) return;
      const parent = target.dropPosition === 'on' ? beside : place.parent;
      const above = parent === ROOT ? null : pageOf(parent);
      if (isWithin(now.current, parent, id) || !mayStandBelow(page, above)) return say({ space: handler.current.space, text: handler.current.tree.cannotMove });
      handler.current.move(id, target.dropPosition === 'on' ? { parent } : { parent, [target.dropPosition]: beside });
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className={css.drop ?? ''} />,
  }), []);
  const { dragAndDropHooks: hooks } = useDragAndDrop<object>(dragging);

  const act = useCallback((page: TreePage, action: string): void => {
    if (action in tree.steps) return step(page.pageId, action as Step);
    if (action === 'rename' || action === 'remove') return ask({ what: action, page });
    if (action === 'duplicate' || action === 'duplicateAll') return void duplicate(page, action === 'duplicateAll');
    ask({ what: 'create', type: action as NewPageType, parent: page.pageId });
  }, [step, duplicate, tree]);

  const menuOf = useCallback((page: TreePage): ReactNode => {
    const holds = page.__typename === 'DocumentPage' || page.__typename === 'GroupPage';
    if (page.__typename === 'ComputedPage') return null;
    return (
      <MenuTrigger>
        <AriaButton className={css.more ?? ''} aria-label={tree.actionsOf(page.title)}><Ellipsis size={15} aria-hidden /></AriaButton>
        <Popover className={ui.popover ?? ''}>
          <Menu className={ui.menu ?? ''} aria-label={tree.actionsOf(page.title)} onAction={(key) => act(page, String(key))}>
            {holds ? <MenuItem id="DOCUMENT" className={ui.menuItem ?? ''}>{tree.newPageBelow}</MenuItem> : null}
            {holds ? <MenuItem id="LINK" className={ui.menuItem ?? ''}>{tree.newLinkBelow}</MenuItem> : null}
            <MenuItem id="rename" className={ui.menuItem ?? ''}>{tree.rename}</MenuItem>
            {Object.entries(tree.steps).map(([way, name]) => (
              <MenuItem key={way} id={way} className={ui.menuItem ?? ''}>{name}<kbd className={ui.kbd}>Alt {tree.arrows[way as Step]}</kbd></MenuItem>
            ))}
            <MenuItem id="duplicate" className={ui.menuItem ?? ''}>{tree.duplicate}</MenuItem>
            {hasBelow(page) ? <MenuItem id="duplicateAll" className={ui.menuItem ?? ''}>{tree.duplicateAll}</MenuItem> : null}
            <MenuItem id="remove" className={ui.menuItem ?? ''}>{tree.remove}</MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
    );
  }, [act, tree]);

  const onKey = useCallback((event: KeyboardEvent, focused: string | null): void => {
    const way = KEYS[event.key];
    const page = focused === null ? null : pageOf(focused);
    if (page === null) return;
    if (event.altKey && way !== undefined) step(page.pageId, document.documentElement.dir === 'rtl' && way !== 'up' && way !== 'down' ? (way === 'in' ? 'out' : 'in') : way);
    else if (event.key === 'F2') ask({ what: 'rename', page });
    else if (event.key === 'Delete') ask({ what: 'remove', page });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, [step]);

  const editing = useMemo<Editing>(() => ({ hooks, menuOf, onKey }), [hooks, menuOf, onKey]);
  useEffect(() => onReady(editing), [editing, onReady]);
  useEffect(() => () => onReady(null), [onReady]);
  const names: Record<NewPageType, string> = { DOCUMENT: tree.newPage, GROUP: tree.newGroup, LINK: tree.newLink };
  return (
    <>
      <MenuTrigger>
        <AriaButton className={css.add ?? ''}><Plus size={15} aria-hidden />{tree.newPage}</AriaButton>
        <Popover className={ui.popover ?? ''}>
          <Menu className={ui.menu ?? ''} aria-label={tree.changePages} onAction={(key) => ask({ what: 'create', type: key as NewPageType, parent: ROOT })}>
            {Object.entries(names).map(([type, name]) => <MenuItem key={type} id={type} className={ui.menuItem ?? ''}>{name}</MenuItem>)}
          </Menu>
        </Popover>
      </MenuTrigger>
      <Outcome space={space} version={version} />
      {turn ? (
        <TreeDialog
          turn={turn} isOpen={isAsking} isInChange={version.kind === 'change'} onSend={send} onClose={() => setAsking(false)}
          onMissed={(title, { error }) => say({ space, text: title, error })}
        />
      ) : null}
    </>
  );
}
