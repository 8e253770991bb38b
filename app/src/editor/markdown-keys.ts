/** What was read in Markdown, beside the page that the Markdown was made of: its names, and what is not known. */

import { type Blocks, meaning } from './changes.ts';
import type { Json } from '../document/json.ts';
import { newKey } from './keys.ts';

function walked(nodes: Blocks, visit: (node: Json) => unknown): void {
  for (const node of nodes) {
    visit(node);
    walked([...(node.nodes ?? []), ...(node.fragments ?? [])], visit);
  }
}

/**
 * The server names blocks after those of the newest page. Where others have written meanwhile these are not all of the page
 * that the Markdown was made of: what they have put in is none of this text, and what they took away is none that is new.
 * Alike blocks have the names of that page, then those that the server has named after one of it, and all others have new ones.
 */
export function namedAsIn(base: Blocks, parsed: Blocks): Blocks {
  const own = new Map<string, Json>();
  walked(base, (node) => node.key !== undefined && own.set(node.key, node));
  const names = new Map<Json, string>();
  const taken = new Set<string>();
  const take = (node: Json, key: string | undefined): void => {
    if (key === undefined || taken.has(key)) return;
    names.set(node, key);
    taken.add(key);
  };
  const isAlike = (node: Json, other: Json | undefined): boolean => other !== undefined && meaning(node) === meaning(other);
  walked(parsed, (node) => node.key !== undefined && isAlike(node, own.get(node.key)) && take(node, node.key));
  const free = new Map<string, string[]>();
  for (const [key, node] of own) {
    if (node.object !== 'block' || taken.has(key)) continue;
    const alike = free.get(meaning(node));
    if (alike) alike.push(key);
    else free.set(meaning(node), [key]);
  }
  walked(parsed, (node) => !names.has(node) && node.object === 'block' && take(node, free.get(meaning(node))?.shift()));
  walked(parsed, (node) => !names.has(node) && node.key !== undefined && own.has(node.key) && take(node, node.key));
  const named = (node: Json): Json => ({
    ...node, ...(node.key === undefined ? {} : { key: names.get(node) ?? newKey() }),
    ...(node.nodes ? { nodes: node.nodes.map(named) } : {}), ...(node.fragments ? { fragments: node.fragments.map(named) } : {}),
  });
  return parsed.map(named);
}

/** What nothing was made of, and stays Markdown as it is: sources that are new in what was read. */
export function newlyUnknown(base: Blocks, parsed: Blocks): string[] {
  const sources = (blocks: Blocks): string[] => {
    const all: string[] = [];
    walked(blocks, ({ type, data }) => type === 'markdown' && typeof data?.['source'] === 'string' && all.push(data['source']));
    return all;
  };
  const before = new Set(sources(base));
  return [...new Set(sources(parsed))].filter((source) => !before.has(source));
}
