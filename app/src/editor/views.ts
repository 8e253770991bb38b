/** How blocks with parts of their own are drawn while they are edited: titles, check marks, media, what is untouched. */

import type { Node } from 'prosemirror-model';
import type { EditorView, NodeView, NodeViewConstructor } from 'prosemirror-view';
import type { ContentReference } from '../document/model.ts';
import type { Target } from '../document/references.tsx';
import { type AnyNode, textOf } from '../document/text.ts';
import type { Texts } from '../texts/en.ts';
import { emojiOf } from '../ui/emoji.ts';
import type { Data, Json } from '../document/json.ts';
import { type Field, KINDS, typeOf } from './kinds.ts';

export interface ViewDoors {
  readonly texts: Texts;
  readonly resolve: (reference: ContentReference) => Target;
  /** Edit what a block has beside its text. */
  readonly openForm: (position: number) => void;
}

type Position = () => number | undefined;

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Record<string, string> = {}, ...children: (HTMLElement | string)[]) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const dataOf = (node: Node): Data => (node.attrs['data'] as Data | null) ?? KINDS[typeOf(node.type.name)]?.data ?? {};

/** Set or take away one value of the data of the node at a position. */
export function setData(view: EditorView, position: number, values: Data): void {
  const node = view.state.doc.nodeAt(position);
  if (node === null) return;
  const isAtomic = node.type.name === 'block_atom';
  const before = isAtomic ? ((node.attrs['json'] as Json).data ?? {}) : dataOf(node);
  const data = Object.fromEntries(Object.entries({ ...before, ...values }).filter(([, value]) => value !== undefined && value !== ''));
  for (const [name, value] of Object.entries(values)) if (value === '' && KINDS[typeOf(node.type.name)]?.fields?.find((one) => one.name === name)?.isNeeded) data[name] = '';
  const attrs = isAtomic ? { json: { ...(node.attrs['json'] as Json), data } } : { ...node.attrs, data };
  view.dispatch(view.state.tr.setNodeMarkup(position, undefined, attrs));
}

/** A block whose text is edited by the editor, among parts that only `draw` changes. */
abstract class Around implements NodeView {
  abstract readonly dom: HTMLElement;
  abstract readonly contentDOM: HTMLElement;
  protected node: Node;

  constructor(node: Node) {
    this.node = node;
  }

  protected abstract draw(): void;

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    this.node = node;
    this.draw();
    return true;
  }

  ignoreMutation(mutation: { target: globalThis.Node; type: string }): boolean {
    return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
  }
}

/** A block with a line above its content, in which something of its data is written. */
class Titled extends Around {
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement;
  private readonly head: HTMLElement;
  private readonly input: HTMLInputElement | null = null;
  private readonly field: Field | undefined;

  constructor(node: Node, view: EditorView, position: Position, { texts }: ViewDoors) {
    super(node);
    const type = typeOf(node.type.name);
    const t = texts.editor;
    this.field = KINDS[type]?.fields?.find((one) => one.inPlace);
    const label = t.kinds[type as keyof typeof t.kinds] ?? type;
    this.head = make('div', { class: 'block-head', contenteditable: 'false' }, make('span', { class: 'block-kind' }, label));
    if (this.field) {
      const name = t.fields[this.field.name as keyof typeof t.fields] ?? this.field.name;
      this.input = make('input', { 'aria-label': `${label}: ${name}`, placeholder: name, dir: 'auto', autocomplete: 'off' });
      this.input.addEventListener('input', () => {
        const place = position();
        if (place !== undefined && this.field && this.input) setData(view, place, { [this.field.name]: this.input.value });
      });
      this.input.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        view.focus();
      });
      this.head.append(this.input);
    }
    if (type === 'code') {
      this.contentDOM = make('code', { spellcheck: 'false' });
      this.dom = make('div', { 'data-block': type, class: 'block' }, this.head, make('pre', {}, this.contentDOM));
    } else {
      this.contentDOM = make('div', { class: 'block-body' });
      this.dom = make('div', { 'data-block': type, class: 'block' }, this.head, this.contentDOM);
    }
    this.draw();
  }

  protected draw(): void {
    const data = dataOf(this.node);
    if (typeof data['style'] === 'string') this.dom.dataset['style'] = data['style'];
    const value = this.field ? String(data[this.field.name] ?? '') : '';
    if (this.input && this.input.value !== value) this.input.value = value;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.input;
  }
}

/** An item of a list; of tasks with its check mark. */
class Item extends Around {
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement;
  private readonly box: HTMLInputElement | null = null;

  constructor(node: Node, view: EditorView, position: Position, { texts }: ViewDoors) {
    super(node);
    const place = position();
    const isTask = place !== undefined && view.state.doc.resolve(place).parent.type.name === 'list_tasks';
    this.contentDOM = make('div');
    this.dom = make('li', {}, this.contentDOM);
    if (!isTask) return;
    this.box = make('input', { type: 'checkbox', 'aria-label': texts.done, contenteditable: 'false' });
    this.box.addEventListener('change', () => {
      const now = position();
      if (now !== undefined) setData(view, now, { checked: this.box?.checked ?? false });
    });
    this.dom.prepend(this.box);
    this.draw();
  }

  protected draw(): void {
    if (this.box) this.box.checked = dataOf(this.node)['checked'] === true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.box;
  }
}

/** Images, files, embeds: what they show, and a caption to write in. */
class Figure extends Around {
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement;
  private readonly media = make('div', { class: 'media', contenteditable: 'false' });

  constructor(node: Node, _view: EditorView, _position: Position, private readonly doors: ViewDoors) {
    super(node);
    this.contentDOM = make('figcaption');
    this.dom = make('figure', { 'data-block': typeOf(node.type.name) }, this.media, this.contentDOM);
    this.draw();
  }

  protected draw(): void {
    const data = dataOf(this.node);
    const { texts } = this.doors;
    const kind = typeOf(this.node.type.name) as keyof typeof texts.editor.kinds;
    const reference = data['ref'] as ContentReference | undefined;
    const target = reference ? this.doors.resolve(reference) : null;
    const alt = typeof data['alt'] === 'string' ? data['alt'] : '';
    if (target?.file && target.href !== null && this.node.type.name !== 'file') {
      this.media.replaceChildren(make('img', { src: target.href, alt: alt || target.title, draggable: 'false' }));
      return;
    }
    const about = String(data['url'] ?? (reference?.kind === 'url' ? reference.url : target?.title) ?? '');
    this.media.replaceChildren(make('span', { class: 'block-kind' }, texts.editor.kinds[kind] ?? kind), ' ', make('span', {}, about || alt));
  }
}

/** A block that the editor has no node for: what it is and what it says; it stays as it is. */
class Untouched implements NodeView {
  readonly dom: HTMLElement;
  private readonly said = make('pre');

  constructor(private node: Node, _view: EditorView, position: Position, private readonly doors: ViewDoors) {
    const { texts } = doors;
    const json = node.attrs['json'] as Json;
    const type = json.type ?? '';
    const label = texts.editor.kinds[type as keyof typeof texts.editor.kinds] ?? texts.unknownBlock(type);
    const head = make('div', { class: 'block-head' }, make('span', { class: 'block-kind' }, label));
    if (KINDS[type]?.fields) {
      const button = make('button', { type: 'button', class: 'block-edit' }, texts.editor.editBlock(label));
      button.addEventListener('click', () => {
        const place = position();
        if (place !== undefined) doors.openForm(place);
      });
      head.append(button);
    }
    this.dom = make('div', { class: 'block untouched', 'data-atom': 'block', contenteditable: 'false' }, head, this.said);
    this.draw();
  }

  private draw(): void {
    const json = this.node.attrs['json'] as Json;
    const reference = json.data?.['ref'] as ContentReference | undefined;
    this.said.textContent = (reference ? this.doors.resolve(reference).title : '') || textOf(json as AnyNode);
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type || (node.attrs['json'] as Json).type !== (this.node.attrs['json'] as Json).type) return false;
    this.node = node;
    this.draw();
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof HTMLButtonElement;
  }

  ignoreMutation(): boolean {
    return true;
  }
}

function inlineAtom(node: Node, { resolve, texts }: ViewDoors): NodeView {
  const json = node.attrs['json'] as Json;
  const data = json.data ?? {};
  const reference = data['ref'] as ContentReference | undefined;
  const target = reference ? resolve(reference) : null;
  if (json.type === 'inline-image' && target?.file && target.href !== null) {
    return { dom: make('img', { src: target.href, alt: String(data['alt'] ?? target.title), class: 'inline-image' }) };
  }
  const text = json.type === 'emoji' ? emojiOf(String(data['code'])) : null;
  const said = text ?? (textOf(json as AnyNode) || String(data['alt'] ?? '') || target?.title || texts.editor.kinds[json.type as keyof typeof texts.editor.kinds] || json.type || '');
  return { dom: make('span', { class: text ? '' : 'inline-atom', contenteditable: 'false' }, said) };
}

const TITLED = ['code_block', 'hint', 'tabs', 'tabs_item', 'stepper_step', 'column', 'updates', 'update', 'prompt', 'if', 'expandable_title', 'expandable_body'];
const FIGURES = ['image', 'drawing', 'file', 'embed'];

export function nodeViews(doors: ViewDoors): Record<string, NodeViewConstructor> {
  const all = (names: readonly string[], View: new (node: Node, view: EditorView, position: Position, doors: ViewDoors) => NodeView) =>
    names.map((name): [string, NodeViewConstructor] => [name, (node, view, position) => new View(node, view, position, doors)]);
  return {
    ...Object.fromEntries([...all(TITLED, Titled), ...all(FIGURES, Figure), ...all(['list_item'], Item), ...all(['block_atom'], Untouched)]),
    inline_atom: (node) => inlineAtom(node, doors),
  };
}
