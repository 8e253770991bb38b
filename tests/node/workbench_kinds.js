// What the editor of the Workbench can insert, and what of each kind it can edit: as JSON.

import { registerHooks } from 'node:module';

const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^[a-z]/u.test(specifier) && !specifier.startsWith('node:') ? { ...context, parentURL: beside } : context),
});

const sources = '../../app/src';
const { ASKED, INSERTIONS, madeOf } = await import(`${sources}/editor/insertions.ts`);
const { blockOf } = await import(`${sources}/editor/convert.ts`);
const { KINDS } = await import(`${sources}/editor/kinds.ts`);
const texts = [(await import(`${sources}/texts/en.ts`)).en, (await import(`${sources}/texts/de.ts`)).de];

const inserted = {};
for (const id of INSERTIONS) {
  const made = madeOf(id);
  const block = made && blockOf(made);
  inserted[id] = { type: made ? block.type : ASKED[id], block };
}
const fields = Object.fromEntries(Object.entries(KINDS).map(([type, kind]) => [type, (kind.fields ?? []).map((field) => field.name)]));
const unnamed = texts.flatMap(({ editor }) => [
  ...INSERTIONS.filter((id) => !editor.insertions[id]),
  ...new Set(Object.values(fields).flat().filter((name) => !editor.fields[name])),
]);
console.log(JSON.stringify({ inserted, fields, unnamed }));
