// Quotes that are alerts: the Workbench takes the same ones for alerts as the server does, where documents are shown and where
// they are edited. Lines of JSON: a document, and what the server shows in its place.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';

// The application's packages are not installed for tests; these stand beside this script.
const beside = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^[a-z]/u.test(specifier) && !specifier.startsWith('node:') ? { ...context, parentURL: beside } : context),
});

const sources = '../../app/src';
const { styleOf, withAlerts } = await import(`${sources}/document/alerts.ts`);
const { alertsOf } = await import(`${sources}/editor/alerts.ts`);
const { documentOf, documentToEditor } = await import(`${sources}/editor/convert.ts`);

const counts = { documents: 0, alerts: 0 };
for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { document, shown } = JSON.parse(line);
  const before = structuredClone(document);
  const blocks = withAlerts(document.nodes, styleOf(document));
  assert.deepEqual(blocks, shown.nodes);
  assert.deepEqual(document, before);
  assert.equal(withAlerts(blocks, styleOf(document)), blocks);

  // In the editor each alert is one of the document, with its marker, and nothing else is.
  const doc = documentToEditor(document);
  const find = alertsOf(styleOf(document));
  const places = find(doc);
  assert.deepEqual(find(doc), places);
  const hints = [];
  const visit = (node, other) => {
    if (node.type === 'blockquote' && other.type === 'hint') hints.push(other.data.style);
    else for (const name of ['nodes', 'fragments']) (node[name] ?? []).forEach((child, index) => visit(child, other[name][index]));
  };
  visit(document, shown);
  assert.deepEqual(places.map((place) => place.style), hints);
  for (const { from, to, marked } of places) {
    assert.equal(doc.nodeAt(from).type.name, 'blockquote');
    assert.equal(from + doc.nodeAt(from).nodeSize, to);
    assert.match(doc.textBetween(...marked, '', '\n'), /^\[!\w+\][ \n]?$/u);
  }
  assert.deepEqual(documentOf(doc), document);
  counts.documents += 1;
  counts.alerts += hints.length;
}
console.log(JSON.stringify(counts));
