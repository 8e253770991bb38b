/**
 * People who are mentioned in a text that is being written: `@` and their name, which is a link to them when it is sent.
 * People of one name have more beside it, in the text as well: each stands for one person. Who was chosen in one text is
 * nobody in another one: there the same words are words, or somebody else.
 */

import { personAt } from '../document/text.ts';

export interface Mentioned {
  readonly id: string;
  readonly displayName: string;
  readonly email: string | null;
  /** Where the server has them: what a link to them leads to. */
  readonly urls: { readonly location: string };
}

/** Who stands behind a name in a text. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** What a link to them leads to; null where only their id is known. */
  readonly url: string | null;
}
type People = Readonly<Record<string, Person>>;

const PREFIX = 'docstead-mentioned ';

/** Whom a text mentions that is written, by the key of its draft. */
export function peopleOf(draft: string): People {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + draft) ?? '{}') as People;
  } catch {
    return {};
  }
}

export const forgetPeople = (draft: string): void => sessionStorage.removeItem(PREFIX + draft);

type Named = Omit<Mentioned, 'urls'>;
/** Names by how many have them: lists of thousands are counted once. */
const counted = new WeakMap<readonly Named[], ReadonlyMap<string, number>>();

function countsOf(people: readonly Named[]): ReadonlyMap<string, number> {
  const before = counted.get(people);
  if (before) return before;
  const counts = new Map<string, number>();
  for (const { displayName } of people) {
    const name = displayName.toLocaleLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  counted.set(people, counts);
  return counts;
}

/** What tells somebody from others of the same name; null where there are none. */
export const aside = ({ id, displayName, email }: Named, people: readonly Named[]): string | null =>
  (countsOf(people).get(displayName.toLocaleLowerCase()) ?? 0) > 1 ? (email ?? id.slice(-4)) : null;

/** Remember who is meant, as long as the text may wait to be sent; what stands for them in it, behind `@`. */
export function remember({ id, name, url }: Person, beside: string | null, draft: string): string {
  const people = peopleOf(draft);
  const isFree = (label: string): boolean => people[label] === undefined || people[label].id === id;
  const labels = [...(beside === null ? [name] : [`${name} (${beside})`]), `${name} (${id.slice(-4)})`, `${name} (${id})`];
  const label = labels.find(isFree) ?? name;
  try {
    sessionStorage.setItem(PREFIX + draft, JSON.stringify({ ...people, [label]: { id, name, url: url ?? people[label]?.url ?? null } }));
  } catch {
    // The browser keeps no more: the name is a name then.
  }
  return label;
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
const inMarkdown = (name: string): string => name.replaceAll(/[\\[\]*_`<>&~$]/gu, '\\$&');
/** Lines of code, with what they may stand in; code in a paragraph, which goes no further than it; and signs that are no more than that. */
const FENCE = /(?<=^|\n)[ \t>]*(?:(?:[-*+]|\d+[.)]) +)?(?<fence>`{3,}(?=[^`\n]*(?:\n|$))|~{3,})[^\n]*(?:\n(?![ \t>]*\k<fence>)[^\n]*)*(?:\n[ \t>]*\k<fence>[`~]*)?/u.source;
const TICKS = /(?<!`)(?<ticks>`+)(?!`)(?:(?!\n[ \t]*\n)[^])*?(?<!`)\k<ticks>(?!`)/u.source;
/** What is what it is, also where it has the name of somebody. */
const CODE = String.raw`${FENCE}|${TICKS}|\\[^\s\p{L}\p{N}]`;
/** A link has no other one in it. */
const LINK = /\[(?:\\.|[^[\]\\\n])*\]\([^()\s]*\)/u.source;

/** A text as what it says and whom it mentions; the longest names first, for one may begin another. */
export function pieces(text: string, people: People, isMarkdown: boolean): (string | Person)[] {
  const labels = Object.keys(people).filter((label) => text.includes(`@${label}`)).sort((label, other) => other.length - label.length);
  if (labels.length === 0) return [text];
  const all = new RegExp(`${isMarkdown ? `${CODE}|${LINK}|` : ''}(?<![\\p{L}\\p{N}_\\[@/])@(?<label>${labels.map(escaped).join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  const parts: (string | Person)[] = [];
  let at = 0;
  for (const match of text.matchAll(all)) {
    const person = people[match.groups?.['label'] ?? ''];
    if (person === undefined) continue;
    parts.push(text.slice(at, match.index), person);
    at = match.index + match[0].length;
  }
  return [...parts, text.slice(at)].filter((piece) => piece !== '');
}

/** The Markdown that is sent: people who were chosen are links to them. */
export const linked = (text: string, people: People): string =>
  pieces(text, people, true).map((piece) => (typeof piece === 'string' ? piece : piece.url === null ? `@${piece.name}` : `[@${inMarkdown(piece.name)}](${piece.url})`)).join('');

/** Markdown that was sent, as it is written: links to people are their names again. */
export const unlinked = (markdown: string, draft: string): string =>
  markdown.replaceAll(new RegExp(`${CODE}|\\[@(?<name>(?:\\\\.|[^[\\]\\\\\\n])+)\\]\\((?<url>[^()\\s]+)\\)`, 'gu'), (whole: string, ...rest: unknown[]) => {
    const { name, url } = rest.at(-1) as { name?: string; url?: string };
    const id = url === undefined ? null : personAt(url);
    return name === undefined || url === undefined || id === null ? whole : `@${remember({ id, name: name.replaceAll(/\\(.)/gu, '$1'), url }, null, draft)}`;
  });

/** The word behind the last `@` before the caret, where one is being typed; null elsewhere, as in an address. */
export function wordAt(text: string, caret: number): { readonly from: number; readonly word: string } | null {
  const match = /(?:^|[\s(])@([\p{L}\p{N}_.'-]*(?: [\p{L}\p{N}_.'-]*)?)$/u.exec(text.slice(0, caret));
  if (match === null) return null;
  const word = match[1] ?? '';
  return { from: caret - word.length - 1, word };
}

/** Those who have the word at the beginning of one of their names or of their address, at most eight. */
export function matching(people: readonly Mentioned[], word: string): readonly Mentioned[] {
  const looked = word.toLocaleLowerCase();
  return people.filter(({ displayName, email }) => [displayName, email ?? ''].some((name) => ` ${name.toLocaleLowerCase()}`.includes(` ${looked}`))).slice(0, 8);
}
