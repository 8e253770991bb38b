import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

const LEFT_OUT = new Set(['node_modules', 'generated', 'README.md']);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Writes `sources.sha256`, by which a test tells that the committed build is of these sources. */
export function digestOfSources(root: string): Plugin {
  return {
    name: 'digest-of-sources',
    generateBundle() {
      const whole = createHash('sha256');
      const paths = filesBelow(root).map((path) => relative(root, path).split(sep).join('/'));
      for (const path of paths.sort()) {
        const digest = createHash('sha256').update(readFileSync(join(root, path))).digest('hex');
        whole.update(`${digest}  ${path}\n`);
      }
      const source = `${whole.digest('hex')}\n`;
      this.emitFile({ type: 'asset', fileName: 'sources.sha256', source });
    },
  };
}
