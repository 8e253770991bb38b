/** The text of documents, without their form. */

import type { Block } from './model.ts';

/** Any node as JSON: types of later releases and of other clients, too. */
export interface AnyNode {
  readonly object?: string;
  readonly type?: string;
  readonly key?: string;
  readonly meta?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
  readonly nodes?: readonly AnyNode[];
  readonly fragments?: readonly AnyNode[];
  readonly leaves?: readonly { readonly text: string }[];
}

/** Blocks of a document as the graph answers it. */
export const blocksOf = (document: Record<string, unknown> | null): Block[] => (document?.['nodes'] ?? []) as Block[];

const LINES = new Set(['code', 'list-ordered', 'list-unordered', 'list-tasks', 'list-item']);

/** What is read of a node: the text of its leaves, a line for each line of code and item of a list. */
export function textOf(node: AnyNode): string {
  if (node.leaves) return node.leaves.map((leaf) => leaf.text).join('');
  const inner = [...(node.nodes ?? []), ...(node.fragments ?? [])];
  if (inner.length > 0) {
    const between = LINES.has(node.type ?? '') || node.object === 'document' ? '\n' : '';
    return inner.map(textOf).join(inner[0]?.object === 'block' || inner[0]?.object === 'fragment' ? '\n' : between);
  }
  const data = node.data ?? {};
  for (const name of ['formula', 'source', 'label', 'url', 'expression', 'code', 'icon']) {
    if (typeof data[name] === 'string') return data[name];
  }
  return '';
}

/** Whether blocks say and show nothing: paragraphs without text, which a new page has. */
export function isBlank(blocks: readonly AnyNode[]): boolean {
  return blocks.every((block) => block.type === 'paragraph' && (block.nodes ?? []).every((node) => node.leaves !== undefined && textOf(node) === ''));
}

export interface OutlineEntry {
  readonly id: string;
  readonly title: string;
  readonly level: 1 | 2 | 3;
}

const HEADING = /^heading-([123])$/u;

/** The outline of a page, whose highest headings stand at the first level. */
export function outlineOf(document: AnyNode): OutlineEntry[] {
  const entries = headingsOf(document);
  const above = Math.min(...entries.map((entry) => entry.level)) - 1;
  return entries.map((entry) => ({ ...entry, level: (entry.level - above) as OutlineEntry['level'] }));
}

/** Headings with their anchors, in order, also those inside of other blocks. */
function headingsOf(node: AnyNode): OutlineEntry[] {
  const level = HEADING.exec(node.type ?? '')?.[1];
  if (level !== undefined) {
    const id = anchorOf(node);
    return id ? [{ id, title: textOf(node), level: Number(level) as 1 | 2 | 3 }] : [];
  }
  return [...(node.nodes ?? []), ...(node.fragments ?? [])].flatMap(headingsOf);
}

/** The anchor of a heading, as the server says it. */
export function anchorOf(heading: AnyNode): string | undefined {
  const id = heading.meta?.['id'] ?? heading.data?.['id'];
  return typeof id === 'string' ? id : undefined;
}

/** Letters and digits of an anchor without case and accents: what programs that spell anchors differently have in common. */
export const anchorKey = (name: string): string =>
  name.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const USUAL_STARS = 5;
const MOST_STARS = 20;

/** Stars of a rating, as a site shows them: documents may hold any number, also below nothing. */
export function starsOf(value: unknown, max: unknown): { stars: number; most: number } {
  const most = Number.isInteger(max) && Number(max) >= 1 && Number(max) <= MOST_STARS ? Number(max) : USUAL_STARS;
  return { stars: Math.max(0, Math.min(most, Math.round(Number(value)) || 0)), most };
}

const DEEPEST = 5;

/** Whether a reusable content may be shown inside of others: it is none of them, and they are not too deep. */
export const mayStandIn = (content: string, inside: readonly string[]): boolean =>
  inside.length < DEEPEST && !inside.includes(content);

/** Whether a node, or one inside of it, has a key. */
export const holds = (node: AnyNode, key: string): boolean =>
  node.key === key || [...(node.nodes ?? []), ...(node.fragments ?? [])].some((child) => holds(child, key));

const PERSON = /^(?<server>https?:\/\/[^/?#]+)?(?:\/[^/?#][^?#]*)?\/v\d+\/users\/(?<id>[\w-]+)$/u;

/** The person whom the address of a mention leads to; other servers have their own people, of whom this one knows nothing. */
export function personAt(url: string): string | null {
  const { server, id } = PERSON.exec(url)?.groups ?? {};
  return id === undefined || (server !== undefined && server !== globalThis.location?.origin) ? null : id;
}
