/** What can be inserted, as a list that follows the caret, which stays in the text: with icons, in groups, and what each is for. */

import {
  ArrowLeftRight, Braces, Brush, ChevronsUpDown, Columns2, FileSymlink, Footprints, Heading1, Heading2, Heading3, Image, Info, List, ListOrdered, ListTodo,
  Megaphone, Minus, MonitorPlay, PanelsTopLeft, Paperclip, Pilcrow, Repeat2, Sigma, Sparkles, Split, SquareCode, Table2, TextQuote, Webhook,
} from 'lucide-react';
import { type ComponentType, useEffect, useId, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useViewer } from '../shell/viewer.tsx';
import { useInsertTexts } from '../texts/insert/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { isComposed } from '../ui/keyboard.ts';
import { ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import { recentOf, sectionsOf } from './insert-search.ts';
import type { InsertionId } from './insertions.ts';
import type { Session } from './session.ts';
import { chooseOption, MENU_ID, optionId, type Slash, slashKey } from './slash.ts';

const ICONS: Record<InsertionId, ComponentType<{ size?: number; 'aria-hidden'?: boolean }>> = {
  paragraph: Pilcrow, heading1: Heading1, heading2: Heading2, heading3: Heading3, bullets: List, numbers: ListOrdered, tasks: ListTodo, quote: TextQuote,
  hint: Info, code: SquareCode, table: Table2, image: Image, drawing: Brush, file: Paperclip, divider: Minus, expandable: ChevronsUpDown, tabs: PanelsTopLeft,
  stepper: Footprints, columns: Columns2, updates: Megaphone, prompt: Sparkles, condition: Split, math: Sigma, embed: MonitorPlay, pageLink: FileSymlink,
  reusable: Repeat2, apiOperation: ArrowLeftRight, apiWebhook: Webhook, apiSchemas: Braces,
};
/** What makes the same when it is typed at the beginning of a line. */
const TYPED: Partial<Record<InsertionId, string>> = {
  heading1: '#', heading2: '##', heading3: '###', bullets: '-', numbers: '1.', tasks: '[]', quote: '>', code: '```', divider: '---',
};

const WIDTH = 336;
const [HEIGHT, LEAST, GAP] = [384, 120, 8];
/** Where the tools stand below the text, and how high they are. */
const PHONE = '(max-width: 600px) and (pointer: coarse)';
const TOOLS = 56;

/** Below the caret, or above it where there is more room; from where its line begins to read. */
function placeOf({ view }: Session, from: number) {
  // The text may be shorter by now than the list knows.
  const place = Math.min(from, view.state.doc.content.size);
  const at = view.coordsAtPos(place);
  const wide = window.innerWidth;
  // What a keyboard and the tools above it leave.
  const high = Math.min(window.innerHeight, window.visualViewport?.height ?? Number.POSITIVE_INFINITY) - (window.matchMedia(PHONE).matches ? TOOLS : 0);
  const [above, below] = [at.top - GAP * 2, high - at.bottom - GAP * 2];
  const isAbove = below < Math.min(HEIGHT, above);
  const width = Math.min(WIDTH, wide - GAP * 2);
  const element = view.domAtPos(place).node;
  const isTurned = getComputedStyle(element instanceof Element ? element : (element.parentElement ?? view.dom)).direction === 'rtl';
  const left = Math.max(GAP, Math.min(isTurned ? at.right - width : at.left, wide - width - GAP));
  return {
    frame: { left, inlineSize: width, ...(isAbove ? { bottom: window.innerHeight - at.top + 4 } : { top: at.bottom + 4 }) },
    height: Math.max(LEAST, Math.min(HEIGHT, isAbove ? above : below)),
  };
}

interface Offered {
  readonly query: string;
  readonly index: number;
  readonly ids: readonly InsertionId[];
  readonly onMark: (index: number) => void;
  readonly onChoose: (id: InsertionId) => void;
}

/** The list itself, of which somebody marks one with the arrows elsewhere. */
function Options({ query, index, ids, height, onMark, onChoose }: Offered & { height: number }) {
  const t = useTexts().editor;
  const words = useInsertTexts();
  const viewer = useViewer();
  const list = useRef<HTMLDivElement>(null);
  const own = useId();
  useLayoutEffect(() => {
    const marked = list.current?.querySelector('[aria-selected=true]');
    // The first one with the heading above it.
    if (index === 0) list.current?.scrollTo(0, 0);
    else marked?.scrollIntoView({ block: 'nearest' });
  }, [index, query]);
  const marked = ids[index];
  return (
    <>
      <div id={MENU_ID} ref={list} role="listbox" tabIndex={0} className={css.options} style={{ maxBlockSize: height }} aria-label={t.insertBlock}>
        {sectionsOf(ids, query, recentOf(viewer.id)).map(({ group, ids: some }) => (
          <div key={group} role="group" aria-labelledby={`${own} ${group}`.replaceAll(' ', '-')}>
            <div id={`${own} ${group}`.replaceAll(' ', '-')} role="presentation" className={group === null ? 'hidden-text' : css.groupName}>
              {group === null ? words.fitting : words.groups[group]}
            </div>
            {some.map((id) => {
              const Icon = ICONS[id];
              return (
                <div
                  key={id}
                  id={optionId(id)}
                  role="option"
                  className={css.option}
                  aria-selected={id === marked}
                  onPointerMove={() => id !== marked && onMark(ids.indexOf(id))}
                  onClick={() => onChoose(id)}
                >
                  <span className={css.optionIcon}><Icon size={17} aria-hidden /></span>
                  <span className={css.optionText}>
                    <span>{t.insertions[id]}</span> <small>{words.about[id]}</small>
                  </span>
                  {TYPED[id] ? <kbd className={css.typed} aria-hidden dir="ltr">{TYPED[id]}</kbd> : null}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className={marked ? 'hidden-text' : css.none}>{marked ? t.insertions[marked] : t.nothingToInsert}</p>
    </>
  );
}

/** Behind the button in the tools: with a field of its own to look for one. */
export function InsertSearch({ options, onChoose }: { options: (query: string) => readonly InsertionId[]; onChoose: (id: InsertionId) => void }) {
  const texts = useTexts();
  const [{ query, index }, set] = useState({ query: '', index: 0 });
  const ids = options(query);
  const marked = ids[index];
  return (
    <div className={css.insertSearch}>
      <input
        className={ui.input} value={query} autoFocus dir="auto" role="combobox" aria-label={texts.editor.insertBlock} placeholder={texts.search}
        aria-expanded aria-controls={MENU_ID} aria-autocomplete="list" aria-activedescendant={marked ? optionId(marked) : undefined}
        onChange={(event) => set({ query: event.target.value, index: 0 })}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (isComposed(event.nativeEvent) || (by === undefined && event.key !== 'Enter')) return;
          event.preventDefault();
          if (by !== undefined) set({ query, index: ids.length === 0 ? 0 : (index + by + ids.length) % ids.length });
          else if (marked) onChoose(marked);
        }}
      />
      <Options query={query} index={index} ids={ids} height={HEIGHT} onMark={(at) => set({ query, index: at })} onChoose={onChoose} />
    </div>
  );
}

export default function InsertList({ session, open, options }: { session: Session; open: Slash; options: (query: string) => readonly InsertionId[] }) {
  const [, place] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const follow = ({ type, target }: Event): void => {
      if (type === 'resize' || (target instanceof Node && target.contains(session.view.dom))) place();
    };
    window.addEventListener('resize', follow);
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    return () => {
      window.removeEventListener('resize', follow);
      window.removeEventListener('scroll', follow, { capture: true });
    };
  }, [session]);
  const there = options(open.query);
  const { frame, height } = placeOf(session, open.from);
  return createPortal(
    <div
      className={css.menu}
      style={frame}
      // The caret stays where it is.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Options
        query={open.query} index={open.index} ids={there} height={height}
        onMark={(index) => session.view.dispatch(session.view.state.tr.setMeta(slashKey, { index }))}
        onChoose={(id) => chooseOption(session.view, id, { options, choose: () => session.insert(id) })}
      />
    </div>,
    document.body,
  );
}
