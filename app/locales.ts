import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const MESSAGES = /\/node_modules\/react-[\w-]+\/dist\/private\/intl\/(?:\w+\/)?([a-z]{2})-[A-Z]{2}\.m?js$/u;

/**
 * Leaves out what React Aria says in languages that the application has no texts in: whoever reads English hears English. They
 * were 9 kB of what is loaded first, compressed.
 */
export function onlyOurLanguages(root: string): Plugin {
  const languages = new Set(readdirSync(join(root, 'src/texts')).flatMap((name) => /^([a-z]{2})\.ts$/u.exec(name)?.[1] ?? []));
  return {
    name: 'only-our-languages',
    enforce: 'pre',
    load(id) {
      const language = MESSAGES.exec(id.split('?')[0] ?? '')?.[1];
      // Its dictionary skips what is undefined, and says in English what is not there.
      return language === undefined || languages.has(language) ? null : { code: 'export default undefined;', moduleSideEffects: false };
    },
  };
}
