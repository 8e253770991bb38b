/** What others have written stays where somebody takes back, or does again, what it stands in: undoing takes away whole ranges. */

import { Fragment, type Node } from 'prosemirror-model';
import { redo, undo } from 'prosemirror-history';
import { type Command, type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { schema } from './schema.ts';

type Ranges = ReadonlyArray<readonly [from: number, to: number]>;

const key = new PluginKey<Ranges>('words of others');
/** Ranges that are remembered, the newest of them. */
const MOST = 2_000;

export const byOthers = (tr: Transaction): Transaction => tr.setMeta(key, true);

/** Where words of others stand that have come since the page was opened. */
export const othersWords: Plugin<Ranges> = new Plugin<Ranges>({
  key,
  state: {
    init: () => [],
    apply(tr, ranges) {
      if (!tr.docChanged) return ranges;
      const there = ranges.map(([from, to]) => [tr.mapping.map(from, 1), tr.mapping.map(to, -1)] as const).filter(([from, to]) => from < to);
      if (tr.getMeta(key) !== true) return there;
      tr.mapping.maps.forEach((map, step) => {
        const later = tr.mapping.slice(step + 1);
        map.forEach((_, __, from, to) => void (from < to && there.push([later.map(from, 1), later.map(to, -1)])));
      });
      return there.slice(-MOST);
    },
  },
});

/** Blocks for the top of a page with what stands in a range. */
function blocksWith(doc: Node, from: number, to: number): Node[] {
  const { content } = doc.slice(from, to);
  if (content.firstChild?.isInline) return [schema.node('paragraph', null, content)];
  const texts: Node[] = [];
  content.descendants((node) => {
    if (node.isTextblock && node.content.size > 0) texts.push(schema.node('paragraph', null, schema.nodes['paragraph']?.validContent(node.content) ? node.content : schema.text(node.textContent)));
    return !node.isTextblock;
  });
  return texts;
}

/** What puts back the words of others that a transaction has taken away, in blocks behind the place; null where it has not. */
function putBack(before: EditorState, done: Transaction, now: EditorState): Transaction | null {
  const tr = now.tr;
  const gone = (key.getState(before) ?? []).filter(([from, to]) => done.mapping.map(from, 1) >= done.mapping.map(to, -1));
  // From the last to the first: places before stay, and what comes to the same one is in its order.
  for (const [from, to] of [...gone].sort(([one], [other]) => other - one)) {
    const place = now.doc.resolve(Math.min(done.mapping.map(from, -1), now.doc.content.size));
    tr.insert(place.depth > 0 ? place.after(1) : place.pos, Fragment.from(blocksWith(before.doc, from, to)));
  }
  return tr.docChanged ? byOthers(tr.setMeta('addToHistory', false)) : null;
}

const sparing = (command: Command): Command => (state, dispatch, view) => {
  let done: Transaction | null = null;
  const isDone = command(state, dispatch && ((tr) => {
    done = tr;
    dispatch(tr);
  }), view);
  const rest = dispatch && done ? putBack(state, done, view?.state ?? state.apply(done)) : null;
  if (rest) dispatch?.(rest);
  return isDone;
};

export const takeBack = sparing(undo);
export const doAgain = sparing(redo);
