/** Lines of code ⇄ one text of the editor. Lines that are not touched stay as they were. */

import { Fragment, type Node } from 'prosemirror-model';
import { EMPTY, inlinesOf, inlinesToEditor, Unfit } from './inline.ts';
import { type Json, meaningOf } from '../document/json.ts';
import { schema } from './schema.ts';

export function linesToEditor(lines: readonly Json[]): Fragment {
  const nodes: Node[] = lines.flatMap((line, index) => {
    const { content } = inlinesToEditor(line.nodes ?? []);
    const children = content.content;
    if (children.some((child) => child.marks.length > 0 || child.type.name === 'hard_break')) throw new Unfit('code');
    return [...(index > 0 ? [schema.text('\n')] : []), ...children];
  });
  return Fragment.fromArray(Fragment.from(nodes).content.slice());
}

export function linesOf(content: Fragment, before: readonly Json[] | null): Json[] {
  const lines: Json[] = split(content).map((nodes) => ({
    object: 'block', type: 'code-line', isVoid: false, data: {},
    nodes: nodes.length > 0 ? inlinesOf(Fragment.fromArray(nodes), null) : [EMPTY],
  }));
  const old = before ?? [];
  const said = (line: Json | undefined): string => (line === undefined ? '' : meaningOf(line.nodes));
  let head = 0;
  while (head < lines.length && head < old.length && said(lines[head]) === said(old[head])) head += 1;
  let tail = 0;
  const most = Math.min(lines.length, old.length) - head;
  while (tail < most && said(lines.at(-1 - tail)) === said(old.at(-1 - tail))) tail += 1;
  const isSameNumber = lines.length === old.length;
  return lines.map((line, index) => {
    if (index < head) return old[index] ?? line;
    if (index >= lines.length - tail) return old[old.length - lines.length + index] ?? line;
    const was = isSameNumber ? old[index] : undefined;
    return was ? { ...was, nodes: line.nodes ?? [] } : line;
  });
}

function split(content: Fragment): Node[][] {
  const lines: Node[][] = [[]];
  content.forEach((node) => {
    if (!node.isText) {
      lines.at(-1)?.push(node);
      return;
    }
    (node.text ?? '').split('\n').forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text) lines.at(-1)?.push(schema.text(text));
    });
  });
  return lines;
}
