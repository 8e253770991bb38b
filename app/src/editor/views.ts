/** How blocks with parts of their own are drawn while they are edited: titles, check marks, media, what is untouched. */

import type { Node } from 'prosemirror-model';
import type { EditorView, NodeView, NodeViewConstructor } from 'prosemirror-view';
import type { ContentReference } from '../document/model.ts';
import type { Target } from '../document/references.tsx';
import { type AnyNode, textOf } from '../document/text.ts';
import type { Texts } from '../texts/en.ts';
import { emojiOf } from '../ui/emoji.ts';
import { isComposed } from '../ui/keyboard.ts';
import type { Data, Json } from '../document/json.ts';
import { type Field, KINDS, typeOf } from './kinds.ts';

export interface ViewDoors {
  readonly texts: Texts;
  readonly resolve: (reference: ContentReference) => Target;
  /** Edit what a block has beside its text. */
  readonly openForm: (position: number) => void;
  /** What is wrong with an expression; null when nothing is, or nobody knows now. */
  readonly check: (expression: string) => Promise<string | null>;
}

type Position = () => number | undefined;

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Record<string, string> = {}, ...children: (HTMLElement | string)[]) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A block says what it is to who does not see it. */
const named = (label: string): Record<string, string> => ({ role: 'group', 'aria-label': label });

const dataOf = (node: Node): Data => (node.attrs['data'] as Data | null) ?? KINDS[typeOf(node.type.name)]?.data ?? {};

/** Set or take away one value of the data of the node at a position. */
export function setData(view: EditorView, position: number, values: Data): void {
  const node = view.state.doc.nodeAt(position);
  if (node === null) return;
  const isAtomic = node.type.name === 'block_atom';
  const before = isAtomic ? ((node.attrs['json'] as Json).data ?? {}) : dataOf(node);
  const data = Object.fromEntries(Object.entries({ ...before, ...values }).filter(([, value]) => value !== undefined && value !== ''));
  for (const [name, value] of Object.entries(values)) if (value === '' && KINDS[typeOf(node.type.name)]?.fields?.find((field) => field.name === name)?.isNeeded) data[name] = '';
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

/** A button in a block that opens its form. */
function editButton(label: string, position: Position, { texts, openForm }: ViewDoors): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'block-edit' }, texts.editor.editBlock(label));
  button.addEventListener('click', () => {
    const place = position();
    if (place !== undefined) openForm(place);
  });
  return button;
}

const ISO_DATE = /^\d{4}-\d\d-\d\d$/u;
const CHECK_MS = 600;
/** Of what others refer to by its id. */
let numbers = 0;

/** A block with a line above its content, in which something of its data is written. */
class Titled extends Around {
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement;
  private readonly head: HTMLElement;
  private readonly input: HTMLInputElement | null = null;
  private readonly field: Field | undefined;
  private readonly tags: HTMLElement | null = null;
  private readonly problem: HTMLElement | null = null;
  private checked: string | null = null;
  private timer = 0;

  constructor(node: Node, view: EditorView, position: Position, private readonly doors: ViewDoors) {
    super(node);
    const { texts } = doors;
    const type = typeOf(node.type.name);
    const t = texts.editor;
    this.field = KINDS[type]?.fields?.find((field) => field.inPlace);
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
        if ((event.key !== 'Enter' && event.key !== 'Escape') || isComposed(event)) return;
        event.preventDefault();
        view.focus();
      });
      this.head.append(this.input);
      // What was there before is not asked about: a page may have many of them.
      this.checked = String(dataOf(node)[this.field.name] ?? '');
      if (this.field.isExpression) {
        this.problem = make('p', { id: `expression-problem-${++numbers}`, class: 'block-problem', role: 'status' });
        this.input.setAttribute('aria-describedby', this.problem.id);
        this.input.spellcheck = false;
        this.input.addEventListener('blur', () => this.check());
        this.head.append(this.problem);
      }
    }
    if (type === 'update') {
      this.tags = make('span', { class: 'block-tags' });
      this.head.append(this.tags, editButton(label, position, doors));
    }
    if (type === 'code') {
      this.contentDOM = make('code', { spellcheck: 'false' });
      this.dom = make('div', { ...named(label), 'data-block': type, class: 'block' }, this.head, make('pre', {}, this.contentDOM));
    } else {
      this.contentDOM = make('div', { class: 'block-body' });
      this.dom = make('div', { ...named(label), 'data-block': type, class: 'block' }, this.head, this.contentDOM);
    }
    this.draw();
  }

  protected draw(): void {
    const data = dataOf(this.node);
    if (typeof data['style'] === 'string') this.dom.dataset['style'] = data['style'];
    const value = this.field ? String(data[this.field.name] ?? '') : '';
    // A date that is no day of the calendar stays as it was written.
    if (this.input && this.field?.as === 'date') this.input.type = value === '' || ISO_DATE.test(value) ? 'date' : 'text';
    if (this.input && this.input.value !== value) this.input.value = value;
    if (this.tags) this.tags.textContent = Array.isArray(data['tags']) ? data['tags'].join(', ') : '';
    if (this.problem && value !== this.checked) {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.check(), CHECK_MS);
    }
  }

  /** Let the server say whether this is an expression. */
  private check(): void {
    window.clearTimeout(this.timer);
    const { problem, input } = this;
    const value = input?.value ?? '';
    if (problem === null || value === this.checked) return;
    this.checked = value;
    void this.doors.check(value).then((said) => {
      if (input?.value !== value) return;
      problem.textContent = said ?? '';
      input.setAttribute('aria-invalid', String(said !== null));
    });
  }

  destroy(): void {
    window.clearTimeout(this.timer);
  }

  stopEvent(event: Event): boolean {
    return event.target === this.input || event.target instanceof HTMLButtonElement;
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
    // Called as what there is to do; an empty one as what its mark says.
    const id = `task-${++numbers}`;
    this.box = make('input', { type: 'checkbox', id, 'aria-label': texts.done, 'aria-labelledby': `${id} ${id}-text`, contenteditable: 'false' });
    this.contentDOM.id = `${id}-text`;
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

  constructor(node: Node, _view: EditorView, position: Position, private readonly doors: ViewDoors) {
    super(node);
    const type = typeOf(node.type.name);
    const { kinds } = doors.texts.editor;
    this.contentDOM = make('figcaption');
    const head = make('div', { class: 'block-head', contenteditable: 'false' }, editButton(kinds[type as keyof typeof kinds] ?? type, position, doors));
    this.dom = make('figure', { 'aria-label': kinds[type as keyof typeof kinds] ?? type, 'data-block': type }, this.media, head, this.contentDOM);
    this.draw();
  }

  stopEvent(event: Event): boolean {
    return event.target instanceof HTMLButtonElement;
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
    if (KINDS[type]?.fields || (type in KINDS && json.data?.['ref'])) head.append(editButton(label, position, doors));
    this.dom = make('div', { ...named(label), class: 'block untouched', 'data-atom': 'block', contenteditable: 'false' }, head, this.said);
    this.draw();
  }

  private draw(): void {
    const json = this.node.attrs['json'] as Json;
    const reference = json.data?.['ref'] as ContentReference | undefined;
    const { method, path, name, schemas } = (json.data ?? {}) as Record<string, unknown>;
    const parts = [method, path ?? name, Array.isArray(schemas) ? schemas.join(', ') : null].filter((part) => typeof part === 'string' && part !== '');
    const about = (reference ? this.doors.resolve(reference).title || String((reference as { spec?: string }).spec ?? '') : '') || textOf(json as AnyNode);
    this.said.textContent = [about, ...(KINDS[json.type ?? ''] ? parts : [])].join(' ');
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
  if (json.type === 'expression') {
    const [name, said] = [texts.expression, String(data['expression'] ?? '')];
    const expression = make('code', { class: 'inline-atom', contenteditable: 'false', title: texts.editor.expressionAbout }, said);
    expression.prepend(make('span', { class: 'hidden-text' }, `${name}: `));
    return { dom: expression };
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
