/** Putting blocks that others have written into an editor, without moving what somebody is typing. */

import { Fragment, type Node } from 'prosemirror-model';
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { Step, StepMap, StepResult } from 'prosemirror-transform';
import { type Blocks, isSame, longestRising } from './changes.ts';
import { blockOf, blockToEditor, keyOfBlock } from './convert.ts';
import { differencesOf } from './merging/text.ts';
import { called, columnsOf, namesOf, type Renaming } from './merging/versions.ts';
import { schema } from './schema.ts';

/**
 * A whole page in the place of one, and where both differ: places beside that stay. One step, for each costs what the
 * page is long. It is nobody's to take back.
 */
class Exchange extends Step {
  private readonly before: Node;
  private readonly after: Node;
  private readonly ranges: readonly number[];

  constructor(before: Node, after: Node, ranges: readonly number[]) {
    super();
    [this.before, this.after, this.ranges] = [before, after, ranges];
  }

  apply(doc: Node): StepResult {
    return doc.eq(this.before) ? StepResult.ok(this.after) : StepResult.fail('another page');
  }

  override getMap(): StepMap {
    return new StepMap(this.ranges);
  }

  invert(): Step {
    let moved = 0;
    const ranges = this.ranges.flatMap((value, index, all) => {
      if (index % 3 > 0) return [];
      const [old, now] = [all[index + 1] ?? 0, all[index + 2] ?? 0];
      moved += now - old;
      return [value + moved - (now - old), now, old];
    });
    return new Exchange(this.after, this.before, ranges);
  }

  /** On top of another page it would take that away. */
  map(): null {
    return null;
  }

  toJSON(): unknown {
    return { stepType: 'exchange', before: this.before.toJSON(), after: this.after.toJSON(), ranges: this.ranges };
  }
}

/** The transaction that makes these blocks of what stands there; only what differs is replaced. */
export function applied(state: EditorState, blocks: Blocks, renaming: Renaming = new Map()): Transaction {
  const there = new Map<string, Node>();
  const own = state.doc.content.content.map((node) => (renaming.size > 0 ? called(node, keyOfBlock(node) ?? '', renaming) : node));
  for (const node of own) {
    const key = keyOfBlock(node);
    if (key !== null) there.set(key, node);
  }
  const target = blocks.map((block) => {
    const old = there.get(block.key ?? '');
    return old && isSame(blockOf(old), block) ? old : blockToEditor(block);
  });
  const doc = state.doc.copy(Fragment.from(target.length > 0 ? target : schema.node('paragraph')));
  const before = state.doc.copy(Fragment.from(own));
  const ranges = rangesBetween(before, doc, 0);
  if (state.doc.eq(doc)) return quiet(state.tr);
  return quiet(holdCaret(state, before, state.tr.step(new Exchange(state.doc, doc, ranges))));
}

/** The transaction that puts a block in the place of one, wherever that stands. */
export function exchanged(state: EditorState, key: string, block: Node | null): Transaction {
  const tr = state.tr;
  state.doc.descendants((node, position) => {
    if (keyOfBlock(node) !== key || tr.docChanged) return !tr.docChanged;
    if (block) tr.replaceWith(position, position + node.nodeSize, block);
    else takeOut(tr, position, position + node.nodeSize);
    return false;
  });
  return holdCaret(state, state.doc, tr);
}

/** Take away what stands here; where nothing else does, a paragraph to write in comes instead, or it all goes. */
function takeOut(tr: Transaction, from: number, to: number): void {
  const $from = tr.doc.resolve(from);
  const { parent, depth } = $from;
  const paragraph = schema.node('paragraph');
  if (parent.childCount > 1) tr.delete(from, to);
  else if (parent.canReplaceWith(0, 1, paragraph.type)) tr.replaceWith(from, to, paragraph);
  else if (depth > 0) takeOut(tr, $from.before(), $from.after());
}

/** Where two nodes differ whose contents start at this position: positions in the first, sizes in both. */
function rangesBetween(before: Node, after: Node, start: number, columns: readonly string[] = [], ranges: number[] = []): number[] {
  if (before === after || before.content.eq(after.content)) return ranges;
  const note = (position: number, old: number, now: number): void => void ((old > 0 || now > 0) && ranges.push(position, old, now));
  if (before.isTextblock) {
    for (const { from, to, content } of differencesOf(before.content, after.content)) note(start + from, to - from, content.size);
    return ranges;
  }
  const [inner, later] = [before, after].map((node) => (node.type.name === 'table' ? columnsOf(node) : columns)) as [readonly string[], readonly string[]];
  const [had, wants] = [namesOf(before, '', inner), namesOf(after, '', later)];
  const places = new Map(had.map((name, index) => [name, index]));
  const common = [...new Set(wants)].filter((name) => places.has(name));
  // What was moved goes in one place and comes in another.
  const staying = new Set(longestRising(common.map((name) => places.get(name) as number)).map((index) => common[index] as string));
  let [at, next, position] = [0, 0, start];
  for (;;) {
    let [gone, come] = [0, 0];
    while (at < had.length && !(staying.has(had[at] as string) && places.get(had[at] as string) === at)) gone += before.child(at++).nodeSize;
    while (next < wants.length && (at === had.length || wants[next] !== had[at])) come += after.child(next++).nodeSize;
    if (gone > 0 || come > 0) note(position, gone, come);
    position += gone;
    if (at === had.length) return ranges;
    const [old, now] = [before.child(at++), after.child(next++)];
    if (old.isTextblock === now.isTextblock && old.isLeaf === now.isLeaf) rangesBetween(old, now, position + 1, inner, ranges);
    else note(position, old.nodeSize, now.nodeSize);
    position += old.nodeSize;
  }
}

/** What comes in just where somebody writes comes behind the caret, and a caret goes with its block. */
function holdCaret(state: EditorState, before: Node, tr: Transaction): Transaction {
  if (!tr.docChanged || !(state.selection instanceof TextSelection)) return tr;
  let starts: Map<string, number> | null = null;
  const moved = (position: number): number => {
    const $place = before.resolve(position);
    const there = tr.mapping.map(position, -1);
    const isGone = $place.depth > 0 && tr.mapping.mapResult($place.before(), 1).deletedAfter;
    const key = isGone ? keyOfBlock($place.parent) : null;
    if (key === null) return there;
    if (starts === null) {
      const places = (starts = new Map<string, number>());
      tr.doc.descendants((node, at) => void (keyOfBlock(node) !== null && places.set(keyOfBlock(node) as string, at)));
    }
    const start = starts.get(key);
    const node = start === undefined ? null : tr.doc.nodeAt(start);
    return start === undefined || !node?.isTextblock ? there : start + 1 + Math.min($place.parentOffset, node.content.size);
  };
  const [anchor, head] = [moved(state.selection.anchor), moved(state.selection.head)].map((place) => tr.doc.resolve(place));
  return anchor && head ? tr.setSelection(TextSelection.between(anchor, head)) : tr;
}

/** Not to be taken back by whoever types here. */
const quiet = (tr: Transaction): Transaction => tr.setMeta('addToHistory', false);
