/** Tools above the text: kinds of text, marks, blocks, tables; arrows go from one to the next. */

import {
  ArrowUpDown, Bold, ChevronDown, Code, FileUp, ImageUp, Italic, Link as LinkIcon, Redo2, Settings2, Strikethrough, Table, Undo2,
} from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover, ToggleButton, Toolbar } from 'react-aria-components';
import { redo, undo } from 'prosemirror-history';
import type { Command } from 'prosemirror-state';
import { NodeSelection } from 'prosemirror-state';
import {
  addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, isInTable,
} from 'prosemirror-tables';
import { useTexts } from '../texts/texts.tsx';
import { shortcut } from '../ui/keyboard.ts';
import { ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import { InsertButton } from './insert-menu.tsx';
import type { InsertionId } from './insertions.ts';
import { KINDS, nameOf, typeOf } from './kinds.ts';
import { doAgain, takeBack } from './others-words.ts';
import { schema } from './schema.ts';
import type { Question, Session, Shown } from './session.ts';
import { MOVES, toggle, turnInto } from './typing.ts';

const KINDS_OF_TEXT = ['paragraph', 'heading-1', 'heading-2', 'heading-3'] as const;
const MARKS = [['bold', Bold, 'Ctrl B'], ['italic', Italic, 'Ctrl I'], ['code', Code, 'Ctrl E'], ['strikethrough', Strikethrough, 'Ctrl Shift X']] as const;

/** Depths of the blocks around the selection that something can be said of, the innermost first. */
export function settingsOf(shown: Shown): { position: number; type: string }[] {
  const { selection } = shown.state;
  const places: { position: number; type: string }[] = [];
  const add = (position: number, name: string): void => {
    const type = typeOf(name);
    const node = shown.state.doc.nodeAt(position);
    const own = name === 'block_atom' ? String((node?.attrs['json'] as { type?: string }).type) : type;
    if (own in KINDS) places.push({ position, type: own });
  };
  if (selection instanceof NodeSelection) add(selection.from, selection.node.type.name);
  for (let depth = selection.$from.depth; depth > 0; depth -= 1) add(selection.$from.before(depth), selection.$from.node(depth).type.name);
  return places;
}

function isMarked(shown: Shown, name: string): boolean {
  const { from, to, empty, $from } = shown.state.selection;
  const type = schema.marks[name];
  if (type === undefined) return false;
  if (empty) return type.isInSet(shown.state.storedMarks ?? $from.marks()) !== undefined;
  return shown.state.doc.rangeHasMark(from, to, type);
}

export function Tools({ session, shown, options, ask, place }: {
  options: (query: string) => readonly InsertionId[]; session: Session; shown: Shown; ask: (question: Question) => void; place: RefObject<HTMLDivElement | null>;
}) {
  const t = useTexts().editor;
  const { view } = session;
  const run = (command: Command): void => {
    if (view.isDestroyed) return;
    session.whole();
    command(view.state, (tr) => view.dispatch(tr));
    view.focus();
  };
  // A menu gives the focus back to its button, and the tools to the one that had it last; after a choice it belongs into the
  // text, or into what asks on.
  const isChosen = useRef(false);
  const chosen = (): void => void (isChosen.current = true);
  const focused = (): void => {
    if (isChosen.current && !view.isDestroyed && document.querySelector('[role=dialog]') === null) view.focus();
    isChosen.current = false;
  };
  const { parent } = shown.state.selection.$from;
  const now = KINDS_OF_TEXT.find((kind) => nameOf(kind) === parent.type.name) ?? 'paragraph';
  const blocks = settingsOf(shown);
  const moves = MOVES.filter(([, command]) => command(shown.state));
  return (
    <div style={{ display: 'contents' }} onFocus={focused}>
    <Toolbar ref={place} className={css.tools ?? ''} aria-label={t.tools}>
      <Choices onChosen={chosen} label={t.kindOfText} shown={t.kinds[now]} items={KINDS_OF_TEXT.map((id) => ({ id, label: t.kinds[id] }))} onChoose={(id) => run(turnInto(id))} />
      {MARKS.map(([name, Icon, keys]) => (
        <ToggleButton key={name} className={css.tool ?? ''} aria-label={t.marks[name]} aria-keyshortcuts={shortcut(keys)} isSelected={isMarked(shown, name)} onChange={() => run(toggle(name))}>
          <Icon size={16} aria-hidden />
        </ToggleButton>
      ))}
      <Tool label={t.link} onPress={() => ask({ about: 'link' })}><LinkIcon size={16} aria-hidden /></Tool>
      <InsertButton
        options={options}
        onChoose={(id) => {
          chosen();
          session.insert(id);
        }}
      />
      <Tool label={t.insertions.image} onPress={() => ask({ about: 'choose', kind: 'image' })}><ImageUp size={16} aria-hidden /></Tool>
      <Tool label={t.insertions.file} onPress={() => ask({ about: 'choose', kind: 'file' })}><FileUp size={16} aria-hidden /></Tool>
      {isInTable(shown.state) ? (
        <Choices
          onChosen={chosen}
          label={t.table}
          icon={<Table size={16} aria-hidden />}
          shown={t.table}
          items={TABLE.filter(([id]) => parent.type.name !== 'table_header' || !OF_ROWS.has(id)).map(([id]) => ({ id, label: t[id] }))}
          onChoose={(id) => run(TABLE.find(([name]) => name === id)?.[1] ?? undo)}
        />
      ) : null}
      {blocks.length > 0 ? (
        <Choices
          onChosen={chosen}
          label={t.block}
          icon={<Settings2 size={16} aria-hidden />}
          shown={t.block}
          items={blocks.map(({ position, type }) => ({ id: String(position), label: t.editBlock(t.kinds[type as keyof typeof t.kinds] ?? type) }))}
          onChoose={(id) => ask({ about: 'block', position: Number(id) })}
        />
      ) : null}
      {moves.length > 0 ? (
        <Choices
          onChosen={chosen}
          label={t.move}
          icon={<ArrowUpDown size={16} aria-hidden />}
          isIcon
          shown={t.move}
          items={moves.map(([id]) => ({ id, label: t.moves[id] }))}
          onChoose={(id) => run(MOVES.find(([name]) => name === id)?.[1] ?? undo)}
        />
      ) : null}
      <Tool label={t.undo} isDisabled={!undo(shown.state)} onPress={() => run(takeBack)}><Undo2 size={16} aria-hidden /></Tool>
      <Tool label={t.redo} isDisabled={!redo(shown.state)} onPress={() => run(doAgain)}><Redo2 size={16} aria-hidden /></Tool>
    </Toolbar>
    </div>
  );
}

const TABLE = [
  ['rowAbove', addRowBefore], ['rowBelow', addRowAfter], ['columnBefore', addColumnBefore], ['columnAfter', addColumnAfter],
  ['deleteRow', deleteRow], ['deleteColumn', deleteColumn],
] as const;

/** Not for the titles, which stay the first row. */
const OF_ROWS = new Set<string>(['rowAbove', 'deleteRow']);

const Tool = ({ label, children, onPress, isDisabled = false }: { label: string; children: ReactNode; onPress: () => void; isDisabled?: boolean }) => (
  <AriaButton className={css.tool ?? ''} aria-label={label} onPress={onPress} isDisabled={isDisabled}>{children}</AriaButton>
);

function Choices<Id extends string>({ label, shown, icon, isIcon = false, items, onChoose, onChosen }: {
  label: string; shown: string; icon?: ReactNode; isIcon?: boolean; items: readonly { id: Id; label: string }[]; onChoose: (id: Id) => void; onChosen: () => void;
}) {
  const choose = (id: Id): void => {
    onChosen();
    onChoose(id);
  };
  return (
    <MenuTrigger>
      <AriaButton className={css.tool ?? ''} aria-label={shown === label ? label : `${label}: ${shown}`}>{icon}{isIcon ? null : <span aria-hidden="true">{shown}</span>}<ChevronDown size={14} aria-hidden /></AriaButton>
      <Popover className={ui.popover ?? ''}>
        <Menu className={ui.menu ?? ''} aria-label={label} items={items} onAction={(id) => choose(id as Id)}>
          {(item) => <MenuItem id={item.id} className={ui.menuItem ?? ''}>{item.label}</MenuItem>}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
