/** Texts that both have split, and whose pieces both have put elsewhere: what stands there twice is asked about. */

import type { Node } from 'prosemirror-model';
import { keyOfBlock } from '../convert.ts';
import { countsOf, isText, textOf, wordsIn } from './streams.ts';
import type { Version } from './versions.ts';

const textsOf = (version: Version): Node[] => [...version.values()].flatMap(({ node }) => (isText(node) ? [node] : []));
const countsIn = (texts: readonly Node[]): Map<string, number> => countsOf(texts.flatMap((node) => wordsIn(textOf(node))));

/** New texts of one of both of which half the words are in another one as well, once more than either has them. */
export function twiceIn(old: Version, their: Version, my: Version, built: readonly Node[]): string[] {
  const isNewIn = (version: Version, other: Version): boolean => [...version].some(([name, { node }]) => isText(node) && !old.has(name) && !other.has(name));
  if (!isNewIn(their, my) || !isNewIn(my, their)) return [];
  const texts: Node[] = [];
  for (const top of built) {
    if (isText(top)) texts.push(top);
    top.descendants((node) => void (isText(node) && texts.push(node)));
  }
  const counts = [old, their, my].map((version) => countsIn(textsOf(version)));
  const more = countsIn(texts);
  for (const [word, count] of more) {
    const [was, left, right] = counts.map((count) => count.get(word) ?? 0) as [number, number, number];
    more.set(word, was + left + right > 0 ? count - Math.max(was, left, right, left + right - was) : 0);
  }
  return texts.flatMap((node) => {
    const name = keyOfBlock(node);
    if (name === null || old.has(name) || their.has(name) === my.has(name)) return [];
    const words = wordsIn(textOf(node));
    const again = words.filter((word) => (more.get(word) ?? 0) > 0);
    if (2 * again.length < words.length || !again.some((word) => word.length > 2)) return [];
    for (const word of again) more.set(word, (more.get(word) ?? 0) - 1);
    return [name];
  });
}
