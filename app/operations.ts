import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const CALL = /graphql\(`([\s\S]*?)`\)/gu;
const IMPORT = /^import \{ graphql \} from '[^']*generated\/index\.ts';$/mu;
const FRAGMENT = /^\s*fragment (\w+) on /u;
const SPREAD = /\.\.\.\s*(?!on\b)(\w+)/gu;

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sourcesBelow(path);
    return /\.tsx?$/u.test(entry.name) ? [path] : [];
  });

/**
 * Puts the text of each operation, with the fragments that it uses, where it is used: a view brings
 * its own operations, and what is loaded first does not hold those of all others.
 */
export function operationsInPlace(root: string): Plugin {
  const fragments = new Map<string, string>();
  const withFragments = (text: string): string => {
    const names = new Set<string>();
    const walk = (part: string): void => {
      for (const [, name] of part.matchAll(SPREAD)) {
        if (name === undefined || names.has(name)) continue;
        names.add(name);
        walk(fragments.get(name) ?? '');
      }
    };
    walk(text);
    const whole = [text, ...[...names].map((name) => fragments.get(name) ?? '')].join(' ');
    return whole.replace(/\s+/gu, ' ').replace(/ ?([{}:,]) ?/gu, '$1').trim();
  };
  return {
    name: 'operations-in-place',
    enforce: 'pre',
    buildStart() {
      fragments.clear();
      for (const path of sourcesBelow(join(root, 'src'))) {
        for (const [, text = ''] of readFileSync(path, 'utf-8').matchAll(CALL)) {
          const name = FRAGMENT.exec(text)?.[1];
          if (name !== undefined) fragments.set(name, text);
        }
      }
    },
    transform(code, id) {
      if (!IMPORT.test(code) || !/\.tsx?$/u.test(id)) return null;
      const placed = code.replace(IMPORT, '').replace(CALL, (_, text: string) => JSON.stringify(withFragments(text)));
      return { code: placed, map: null };
    },
  };
}
