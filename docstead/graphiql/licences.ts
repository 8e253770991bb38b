import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The folder of the package that a module belongs to, or null for our own modules. */
function packageFolder(moduleId: string): string | null {
  const path = moduleId.replace(/^\0/, '').split('?')[0] ?? '';
  if (!path.includes('/node_modules/')) {
    return null;
  }
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) {
      return folder;
    }
  }
  return null;
}

/** The licence texts in a package's folder. */
function licenceTexts(folder: string): string {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|notice|copying|thirdpartynotices)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/\r\n/g, '\n').trim())
    .join('\n\n');
}

function packageTitle(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`;
}

/**
 * Writes THIRD-PARTY-LICENCES.txt: the licence texts of every package whose code is in the
 * output. The licences of the workers' packages are those of monaco, which the pages load too.
 * What a package's files contain without saying so is in a file written by hand.
 */
export function thirdPartyLicences(noticesFile?: string): Plugin {
  return {
    name: 'third-party-licences',
    generateBundle() {
      const folders = new Set<string>();
      for (const id of this.getModuleIds()) {
        const folder = packageFolder(id);
        if (folder !== null) {
          folders.add(folder);
        }
      }
      // Packages that share one text, such as a project's many parts, are listed above it once.
      const titlesOfText = new Map<string, Set<string>>();
      for (const folder of folders) {
        const text = licenceTexts(folder);
        titlesOfText.set(text, (titlesOfText.get(text) ?? new Set()).add(packageTitle(folder)));
      }
      const blocks = [...titlesOfText]
        .map(([text, titles]) => `${[...titles].sort().join('\n')}\n\n${text}`.trim())
        .sort();
      const notices = noticesFile ? [readFileSync(noticesFile, 'utf8').trim()] : [];
      const source = [...blocks, ...notices]
        .join(`\n\n${'-'.repeat(80)}\n\n`);
      const fileName = 'THIRD-PARTY-LICENCES.txt';
      this.emitFile({ type: 'asset', fileName, source: `${source}\n` });
    },
  };
}
