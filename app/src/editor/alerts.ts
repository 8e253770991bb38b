/** Quotes that are alerts are drawn as hints while they are edited, by decorations: in the document they are quotes. */

import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { type Alert, alertOf, isAround, styleOf } from '../document/alerts.ts';
import type { Data, Json } from '../document/json.ts';
import type { Texts } from '../texts/en.ts';
import { blockOf } from './convert.ts';
import { FRAGMENTS, typeOf } from './kinds.ts';

export interface AlertPlace extends Alert {
  readonly from: number;
  readonly to: number;
  /** Where its marker begins, and where the line of the marker ends. */
  readonly marked: readonly [from: number, to: number];
}

/** Alerts of a text, wherever they stand. Nodes of the editor never change, so what is in one is looked for once. */
export function alertsOf(page: Data): (doc: Node) => AlertPlace[] {
  const seen = new WeakMap<Node, readonly AlertPlace[]>();
  /** From the start of the block on. */
  const look = (block: Node): readonly AlertPlace[] => {
    if (block.type.name === 'blockquote') {
      const alert = alertOf(blockOf(block), page);
      return alert && block.firstChild?.isTextblock ? [{ ...alert, from: 0, to: block.nodeSize, marked: [2, 2 + alert.marker] }] : [];
    }
    const type = typeOf(block.type.name);
    return isAround(type) || type in FRAGMENTS ? within(block, 1) : [];
  };
  const within = (parent: Node, start: number): AlertPlace[] => {
    const places: AlertPlace[] = [];
    parent.forEach((child, offset) => {
      const there = seen.get(child) ?? look(child);
      seen.set(child, there);
      const at = start + offset;
      for (const place of there) {
        places.push({ ...place, from: at + place.from, to: at + place.to, marked: [at + place.marked[0], at + place.marked[1]] });
      }
    });
    return places;
  };
  return (doc) => within(doc, 0);
}

export function alertsPlugin({ hints }: Texts): Plugin<DecorationSet> {
  let page: Data | null = null;
  let find = alertsOf({});
  const drawn = (doc: Node): DecorationSet => {
    const style = styleOf(doc.attrs['json'] as Json | null);
    if (style !== page) find = alertsOf(style);
    page = style;
    return DecorationSet.create(doc, find(doc).flatMap((place) => [
      Decoration.node(place.from, place.to, { class: 'alert', 'data-style': place.style, role: 'note', 'aria-label': hints[place.style] ?? hints.info }),
      Decoration.inline(...place.marked, { class: place.end === ' ' ? 'alert-marker alert-line' : 'alert-marker' }),
    ]));
  };
  const plugin: Plugin<DecorationSet> = new Plugin<DecorationSet>({
    state: {
      init: (_, { doc }) => drawn(doc),
      apply: (tr, before, __, { doc }) => (tr.docChanged ? drawn(doc) : before),
    },
    props: { decorations: (state) => plugin.getState(state) },
  });
  return plugin;
}
