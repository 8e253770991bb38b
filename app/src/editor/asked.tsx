/** What the editor asks for: where a link leads, what a block has beside its text, which content stands in its place. */

import { Suspense, useEffect, useState } from 'react';
import type { Node } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { Data, Json } from '../document/json.ts';
import { part, useSoon } from '../ui/part.ts';
import { keyOfBlock } from './convert.ts';
import { LinkForm, LinkTargets } from './link-form.tsx';
import type { LinkTarget } from './link-targets.tsx';
import type { Edited } from './graph.ts';
import { atomOf, conditionOf, figure, inserted, update } from './insertions.ts';
import { newKey } from './keys.ts';
import { KINDS, typeOf } from './kinds.ts';
import { newLink, schema } from './schema.ts';
import type { Instead, Question, Session } from './session.ts';
import { setData } from './views.ts';

const BlockForm = part(async () => ({ default: (await import('./block-form.tsx')).BlockForm }));
const ReusableForm = part(async () => ({ default: (await import('./reusable-form.tsx')).ReusableForm }));
const SpecificationForm = part(async () => ({ default: (await import('./specification-form.tsx')).SpecificationForm }));

export function Asked({ question, session, edited, organization, check, ask, onNamed, close }: {
  question: Question | null; session: Session; edited: Edited; organization: string; check: (expression: string) => Promise<string | null>;
  ask: (question: Question) => void; onNamed: (target: LinkTarget) => void; close: () => void;
}) {
  const { view } = session;
  // These two are asked for by keys, and typed in at once: they come beside the editor.
  useEffect(() => void Promise.all([LinkTargets.bring(), BlockForm.bring()]).catch(() => undefined), []);
  useSoon(ReusableForm, SpecificationForm);
  const { space } = edited;
  /** `isAsked`: what else it says is asked for at once. */
  const put = (type: string, target: LinkTarget, instead: Instead | undefined, isAsked = false): void => {
    onNamed(target);
    const key = newKey();
    if (instead) instead(target.reference);
    else view.dispatch(inserted(view.state, atomOf(type, { ref: target.reference }, key)));
    close();
    if (isAsked && !instead) ask({ about: 'block', position: placeOf(view, key, 0) });
  };
  if (question?.about === 'specification') {
    const { type, instead } = question;
    const choose = (target: LinkTarget): void => put(type, target, instead, true);
    return <Suspense fallback={null}><SpecificationForm type={type} organization={organization} onChoose={choose} onClose={close} /></Suspense>;
  }
  if (question?.about === 'reusable') {
    const choose = (target: LinkTarget): void => put('reusable-content', target, question.instead);
    return <Suspense fallback={null}><ReusableForm edited={edited} organization={organization} onChoose={choose} onClose={close} /></Suspense>;
  }
  if (question?.about === 'link' || question?.about === 'page') {
    const onlyPages = question.about === 'page';
    const choose = (target: LinkTarget): void => {
      if (onlyPages) return put('content-ref', target, question.instead);
      link(session, target.reference, target.title);
      close();
    };
    return (
      <LinkForm
        space={space}
        organization={organization}
        onlyPages={onlyPages}
        hasLink={!onlyPages && linkedRange(view.state) !== null}
        onChoose={choose}
        onRemove={() => {
          const range = linkedRange(view.state);
          if (range) view.dispatch(view.state.tr.removeMark(range.from, range.to, schema.marks['link']));
          close();
        }}
        onClose={close}
      />
    );
  }
  if (question?.about === 'new') {
    const make = (data: Data): void => {
      view.dispatch(inserted(view.state, NEW[question.type]({ ...data })));
      close();
    };
    return (
      <Suspense fallback={null}>
        <BlockForm
          key={question.type} type={question.type} data={{}} isNew check={check} onApply={make}
          actions={{ onDelete: close, onAdd: null, onChange: null }} onClose={close}
        />
      </Suspense>
    );
  }
  if (question?.about !== 'block') return null;
  return (
    <Suspense fallback={null}>
      <AskedOfBlock key={question.position} position={question.position} view={view} check={check} ask={ask} close={close} />
    </Suspense>
  );
}

const NEW = { math: (data: Data) => atomOf('math', data), embed: (data: Data) => figure('embed', data), if: (data: Data) => conditionOf(data) };
/** What else can stand in the place of what a block shows. */
const OTHER: Readonly<Record<string, (instead: Instead) => Question>> = {
  image: (instead) => ({ about: 'choose', kind: 'image', instead }),
  drawing: (instead) => ({ about: 'choose', kind: 'drawing', instead }),
  file: (instead) => ({ about: 'choose', kind: 'file', instead }),
  ...Object.fromEntries(['openapi-operation', 'openapi-webhook', 'openapi-schemas'].map((type) =>
    [type, (instead: Instead): Question => ({ about: 'specification', type, instead })])),
  'content-ref': (instead) => ({ about: 'page', instead }),
  'reusable-content': (instead) => ({ about: 'reusable', instead }),
};

/** Where a block stands now: others may have written before it since it was asked for. */
export function placeOf(view: EditorView, key: string | null, position: number): number {
  if (key === null) return position;
  let place = -1;
  view.state.doc.descendants((node, at) => {
    if (keyOfBlock(node) === key) place = at;
    return place < 0;
  });
  return place;
}

function AskedOfBlock({ position, view, check, ask, close }: {
  position: number; view: EditorView; check: (expression: string) => Promise<string | null>; ask: (question: Question) => void; close: () => void;
}) {
  const [first] = useState(() => view.state.doc.nodeAt(position));
  if (first === null) return null;
  const key = keyOfBlock(first);
  const json = first.type.name === 'block_atom' ? (first.attrs['json'] as Json) : null;
  const type = json?.type ?? typeOf(first.type.name);
  const data = json ? (json.data ?? {}) : ((first.attrs['data'] as Data | null) ?? KINDS[type]?.data ?? {});
  /** What is chosen is done with the block, unless somebody has taken it away. */
  const at = (work: (position: number, node: Node) => void) => (): void => {
    const place = placeOf(view, key, position);
    const there = place < 0 ? null : view.state.doc.nodeAt(place);
    if (there?.type === first.type) work(place, there);
    close();
  };
  const remove = at((position, there) => {
    const $place = view.state.doc.resolve(position);
    // The last part of a block goes with it.
    const isOnly = $place.parent.childCount === 1 && $place.depth > 0;
    const [from, to] = isOnly ? [$place.before(), $place.after()] : [position, position + there.nodeSize];
    view.dispatch(view.state.tr.delete(from, to));
  });
  // The newest of the updates comes first.
  const add = at((position, there) => {
    const node = type === 'update' ? update() : there.type.createAndFill();
    if (node) view.dispatch(view.state.tr.insert(type === 'update' ? position : position + there.nodeSize, node));
  });
  const other = OTHER[type];
  const change = (): void => {
    close();
    if (other) ask(other((reference) => at((position) => setData(view, position, { ref: reference }))()));
  };
  return (
    <BlockForm
      type={type}
      data={data}
      isNew={false}
      check={check}
      onApply={(values) => at((position) => setData(view, position, values))()}
      actions={{ onDelete: remove, onAdd: KINDS[type]?.isPart && type !== 'image' ? add : null, onChange: other ? change : null }}
      onClose={close}
    />
  );
}

/** The link that the caret stands in, or the links of the selection. */
function linkedRange({ doc, selection }: EditorState): { from: number; to: number } | null {
  const { from, to, empty, $from } = selection;
  const type = schema.marks['link'];
  if (type === undefined) return null;
  if (!empty) return doc.rangeHasMark(from, to, type) ? { from, to } : null;
  let range: { from: number; to: number } | null = null;
  $from.parent.forEach((child, offset) => {
    const start = $from.start() + offset;
    if (type.isInSet(child.marks) && start <= from && start + child.nodeSize >= from) range = { from: start, to: start + child.nodeSize };
  });
  return range;
}

function link(session: Session, reference: Data, title: string): void {
  const { state } = session.view;
  const { empty, from, to } = state.selection;
  const mark = schema.mark('link', { json: newLink(reference) });
  const range = empty ? linkedRange(state) : { from, to };
  const tr = range ? state.tr.addMark(range.from, range.to, mark) : state.tr.replaceSelectionWith(schema.text(title, [mark]), false);
  session.view.dispatch(tr.removeStoredMark(mark));
}
