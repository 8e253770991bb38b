/** What typing does: keys, and marks of Markdown that become blocks and marks. */

import {
  baseKeymap, chainCommands, exitCode, lift, selectParentNode, toggleMark, wrapIn,
} from 'prosemirror-commands';
import { InputRule, inputRules, undoInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { Mark, MarkType, Node } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, type EditorState, NodeSelection, type Plugin, Selection, type Transaction } from 'prosemirror-state';
import { addRowAfter, goToNextCell, isInTable } from 'prosemirror-tables';
import { atEnd, turnedInto } from './insertions.ts';
import { doAgain, takeBack } from './others-words.ts';
import { newLink, nodeType, schema } from './schema.ts';

const mark = (name: string): MarkType => schema.marks[name] as MarkType;
export const toggle = (name: string): Command => toggleMark(mark(name));
export const turnInto = (type: string): Command => (state, dispatch) => {
  const tr = turnedInto(state, type);
  if (tr === null) return false;
  dispatch?.(tr);
  return true;
};
export const quoteSelection: Command = wrapIn(nodeType('blockquote'));
export const liftSelection: Command = lift;

const item = nodeType('list-item');

/** The next item of a list; a task is not done yet. */
const nextItem: Command = (state, dispatch) => {
  const list = state.selection.$from.node(-2)?.type.name;
  return splitListItem(item, { data: list === 'list_tasks' ? { checked: false } : null, form: null })(state, dispatch);
};

const lineBreak: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  if (!parent.isTextblock || parent.type.name === 'table_header') return false;
  const tr = parent.type.spec.code ? state.tr.insertText('\n') : state.tr.replaceSelectionWith(schema.node('hard_break'));
  dispatch?.(tr.scrollIntoView());
  return true;
};

const newLineInCode: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.type.spec.code) return false;
  dispatch?.(state.tr.insertText('\n').scrollIntoView());
  return true;
};

/** Lines of code further in or out; a caret in the middle of one gets blanks. */
const indent = (isIn: boolean): Command => (state, dispatch) => {
  const { $from, from, to, empty } = state.selection;
  const { parent } = $from;
  if (!parent.type.spec.code || !$from.sameParent(state.selection.$to)) return false;
  const { tr } = state;
  const start = $from.start();
  if (isIn && empty) tr.insertText(INDENT);
  else {
    const text = parent.textBetween(0, parent.content.size, '\n', '\n');
    const lines = [...text.matchAll(/^.*$/gmu)].filter(({ index, 0: line }) => start + index <= to && start + index + line.length >= from);
    // From below, so that what is above stays where it is.
    for (const { index, 0: line } of lines.reverse()) {
      const at = start + index;
      if (isIn) tr.insertText(INDENT, at);
      else tr.delete(at, at + (/^(?:\t| {1,2})/u.exec(line)?.[0].length ?? 0));
    }
  }
  // Also where nothing is to be done: the key does not lead out of the code.
  dispatch?.(tr.scrollIntoView());
  return true;
};
const INDENT = '  ';

/** Signs of a block that was typed as a line of its own, and Enter behind it. */
const typedLine: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { parent } = $from;
  // A picture or a break beside the signs is no sign.
  if (!empty || parent.type.name !== 'paragraph' || $from.parentOffset < parent.content.size || parent.textContent.length < parent.content.size) return false;
  const fence = /^```([\w+#-]*)$/u.exec(parent.textContent);
  if (!fence && !/^(?:---|\*\*\*)$/u.test(parent.textContent)) return false;
  const node = fence ? codeOf(fence[1]) : schema.node('divider');
  const [place, index] = [$from.node(-1), $from.index(-1)];
  if (!place.canReplaceWith(index, index + 1, node.type)) return false;
  dispatch?.(replacedBlock(state.tr, node, $from.before(), $from.after()).scrollIntoView());
  return true;
};
const codeOf = (syntax: string | undefined): Node => nodeType('code').create(syntax ? { data: { syntax } } : null);

/** At the beginning of a heading: it is text before it is joined with what is above. */
const plainText: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  return empty && $from.parentOffset === 0 && /^heading_/u.test($from.parent.type.name) && turnInto('paragraph')(state, dispatch);
};

/** Enter in a title of a column goes on to the next one. */
const nextTitle: Command = (state, dispatch) =>
  state.selection.$from.parent.type.name === 'table_header' && goToNextCell(1)(state, dispatch);

/** Behind the last cell there is another row. */
const newRow: Command = (state, dispatch, view) => {
  if (!isInTable(state) || !addRowAfter(state, dispatch)) return false;
  return view === undefined || goToNextCell(1)(view.state, view.dispatch);
};

/** Which of how many blocks one is that was moved, and when that was. */
export interface Moved {
  readonly place: number;
  readonly of: number;
  readonly time: number;
}
const MOVED = 'moved block';
export const movedBy = (tr: Transaction): Moved | undefined => tr.getMeta(MOVED) as Moved | undefined;

/** Move a block at the top of the page. */
const moveBlock = (by: -1 | 1): Command => (state, dispatch) => {
  const { $from } = state.selection;
  const index = $from.index(0);
  const target = index + by;
  if (target < 0 || target >= state.doc.childCount) return false;
  if (dispatch) {
    const block = state.doc.child(index);
    const start = state.selection instanceof NodeSelection && $from.depth === 0 ? $from.pos : $from.before(1);
    const offset = state.selection.from - start;
    const other = state.doc.child(target);
    const to = by === 1 ? start + other.nodeSize : start - other.nodeSize;
    const tr = state.tr.delete(start, start + block.nodeSize).insert(to, block);
    const isNode = state.selection instanceof NodeSelection && $from.depth === 0;
    tr.setSelection(isNode ? NodeSelection.create(tr.doc, to) : textAt(tr.doc, to + offset));
    const moved: Moved = { place: target + 1, of: state.doc.childCount, time: tr.time };
    dispatch(tr.setMeta(MOVED, moved).scrollIntoView());
  }
  return true;
};

const textAt = (doc: Node, position: number): Selection => Selection.near(doc.resolve(Math.min(position, doc.content.size)));

/** What keys do that phones do not have. */
export const MOVES = [['up', moveBlock(-1)], ['down', moveBlock(1)], ['in', sinkListItem(item)], ['out', liftListItem(item)]] as const;

/** Down behind the last block of the page, when nobody can write there. */
const behindAll: Command = (state, dispatch) => {
  const { $to } = state.selection;
  const last = state.doc.lastChild;
  if (last?.type.name === 'paragraph' || $to.index(0) < state.doc.childCount - 1) return false;
  dispatch?.(atEnd(state));
  return true;
};

const goTo = (place: (doc: Node) => Selection): Command => (state, dispatch) => {
  dispatch?.(state.tr.setSelection(place(state.doc)).scrollIntoView());
  return true;
};

export interface TypingDoors {
  readonly link: () => void;
  readonly toolbar: () => void;
  readonly save: () => void;
}

const doing = (work: () => void): Command => (_, dispatch) => {
  if (dispatch) work();
  return true;
};

export function keys({ link, toolbar, save }: TypingDoors): Plugin[] {
  return [
    keymap({
      'Mod-z': chainCommands(undoInputRule, takeBack),
      'Mod-y': doAgain,
      'Mod-Shift-z': doAgain,
      'Mod-b': toggle('bold'),
      'Mod-i': toggle('italic'),
      'Mod-e': toggle('code'),
      'Mod-Shift-x': toggle('strikethrough'),
      'Mod-k': doing(link),
      'Mod-s': doing(save),
      'Alt-F10': doing(toolbar),
      'Mod-Alt-0': turnInto('paragraph'),
      'Mod-Alt-1': turnInto('heading-1'),
      'Mod-Alt-2': turnInto('heading-2'),
      'Mod-Alt-3': turnInto('heading-3'),
      'Alt-ArrowUp': moveBlock(-1),
      'Alt-ArrowDown': moveBlock(1),
      'Shift-Enter': lineBreak,
      'Mod-Enter': chainCommands(exitCode, behindAll),
      Enter: chainCommands(newLineInCode, typedLine, nextTitle, nextItem, liftListItem(item)),
      Tab: chainCommands(indent(true), goToNextCell(1), newRow, sinkListItem(item)),
      'Shift-Tab': chainCommands(indent(false), goToNextCell(-1), liftListItem(item)),
      Backspace: chainCommands(undoInputRule, plainText),
      'Mod-Home': goTo((doc) => Selection.atStart(doc)),
      'Mod-End': goTo((doc) => Selection.atEnd(doc)),
      'Mod-Escape': selectParentNode,
    }),
    keymap(baseKeymap),
  ];
}

const block = (pattern: RegExp, type: (match: RegExpMatchArray) => string): InputRule =>
  new InputRule(pattern, (state, match, start, end) => {
    const { $from } = state.selection;
    const place = $from.depth > 0 ? $from.node(-1) : null;
    const isFree = place?.canReplaceWith($from.index(-1), $from.index(-1) + 1, nodeType(type(match)));
    if (!isFree || $from.parent.type.name !== 'paragraph') return null;
    return state.tr.delete(start, end).setNodeMarkup($from.before(), nodeType(type(match)), { ...$from.parent.attrs, data: null });
  });

/** What stands between signs stays what it is, with pictures, breaks and other marks, and is marked. */
function between(tr: Transaction, [start, from, to, end]: readonly [number, number, number, number], mark: Mark): Transaction {
  tr.delete(to, end).delete(start, from);
  return tr.addMark(start, start + to - from, mark).removeStoredMark(mark.type);
}

const marked = (pattern: RegExp, name: string): InputRule =>
  new InputRule(pattern, (state, match, start, end) => {
    const [whole, before = '', text = ''] = match;
    if (!text || state.doc.rangeHasMark(start, end, mark('code'))) return null;
    const begin = start + before.length;
    const from = begin + (whole.length - before.length - text.length) / 2;
    return between(state.tr, [begin, from, from + text.length, end], mark(name).create());
  });

const linked = new InputRule(/\[([^[\]]+)\]\((https?:\/\/[^\s()\ufffc]+|mailto:[^\s()\ufffc]+|#[^\s()\ufffc]+)\)$/u, (state, match, start, end) => {
  const [, text = '', url = ''] = match;
  return state.doc.rangeHasMark(start, end, mark('code')) ? null
    : between(state.tr, [start, start + 1, start + 1 + text.length, end], mark('link').create({ json: newLink({ kind: 'url', url }) }));
});

const replaced = (pattern: RegExp, make: (match: RegExpMatchArray) => Node): InputRule =>
  new InputRule(pattern, (state: EditorState, match, start, end) => {
    if (state.selection.$from.parent.type.name !== 'paragraph') return null;
    const cut = state.tr.delete(start, end);
    const node = make(match);
    const $from = cut.doc.resolve(start);
    if ($from.parent.content.size > 0) return null;
    return replacedBlock(cut, node, $from.before(), $from.after());
  });

function replacedBlock(tr: Transaction, node: Node, start: number, end: number): Transaction {
  tr.replaceWith(start, end, node);
  const after = start + node.nodeSize;
  if ((!node.isTextblock || node.type.spec.code) && after >= tr.doc.content.size) tr.insert(after, schema.node('paragraph'));
  return tr.setSelection(Selection.near(tr.doc.resolve(node.isTextblock ? start + 1 : after)));
}

export const rules = (): Plugin => inputRules({
  rules: [
    block(/^(#{1,3})\s$/u, (match) => `heading-${match[1]?.length ?? 1}`),
    wrappingInputRule(/^\[([ x]?)\]\s$/u, nodeType('list-tasks')),
    wrappingInputRule(/^[-+*]\s$/u, nodeType('list-unordered')),
    wrappingInputRule(/^(\d{1,9})[.)]\s$/u, nodeType('list-ordered'), (match) => (match[1] === '1' ? {} : { data: { start: Number(match[1]) } })),
    wrappingInputRule(/^>\s$/u, nodeType('blockquote')),
    replaced(/^```([\w+#-]*)\s$/u, (match) => codeOf(match[1])),
    replaced(/^(?:---|\*\*\*)\s$/u, () => schema.node('divider')),
    marked(/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/u, 'bold'),
    marked(/(^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/u, 'italic'),
    linked,
    marked(/(^|[\s(])_([^_\s](?:[^_]*[^_\s])?)_$/u, 'italic'),
    marked(/(^|[^`])`([^`]+)`$/u, 'code'),
    marked(/(^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/u, 'strikethrough'),
  ],
});
