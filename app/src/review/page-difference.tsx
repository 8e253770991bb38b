/** One page that has changed: its settings, and its document block by block. */

import { MessageSquarePlus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { styleOf } from '../document/alerts.ts';
import { DocumentBlocks } from '../document/blocks.tsx';
import type { Data } from '../document/json.ts';
import type { Block } from '../document/model.ts';
import { type AnyNode, textOf } from '../document/text.ts';
import { graphql } from '../graph/generated/index.ts';
import type { CommentThreadFragment } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { useRead, Waiting } from '../graph/reading.tsx';
import { UNCHANGING } from '../graph/visible.ts';
import type { Version } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button } from '../ui/ui.tsx';
import { type BlockChange, blocksBetween } from './block-diff.ts';
import { CommentForm, type CommentOn } from './comment-form.tsx';
import type { Layout } from './difference.tsx';
import { Said, usePageComments } from './page-comments.tsx';
import css from './review.module.css';
import { rowsBetween } from './rows.ts';
import { RowsChanged } from './rows-changed.tsx';
import { Words } from './words.tsx';
import type { Word } from './words-between.ts';

const STORED = graphql(`
  query StoredDocument($space: ID!, $id: ID!) {
    document(spaceId: $space, id: $id) { documentId data nodes }
  }
`);

interface Sides<Value> {
  readonly before: Value | null;
  readonly after: Value | null;
}

interface Difference {
  readonly type: string;
  readonly page: { readonly pageId?: string; readonly documentId?: string | null };
  readonly attributes: {
    readonly title?: Sides<string> | null;
    readonly description?: Sides<string> | null;
    readonly slug?: Sides<string> | null;
    readonly emoji?: Sides<string> | null;
    readonly condition?: Sides<string> | null;
    readonly hidden?: Sides<boolean> | null;
    readonly noIndex?: Sides<boolean> | null;
    readonly document?: Sides<string> | null;
  } | null;
  readonly parent: Sides<{ readonly title: string }> | null;
}

const SETTINGS = ['title', 'description', 'slug', 'emoji', 'condition', 'hidden', 'noIndex'] as const;

/** Documents before and after; of a new page there is none before, of a deleted one none after. */
function documentsOf({ type, page, attributes }: Difference): Sides<string> | null {
  const changed = attributes?.document;
  if (changed) return changed;
  if (type.endsWith('_CREATED')) return { before: null, after: page.documentId ?? null };
  return type.endsWith('_DELETED') ? { before: page.documentId ?? null, after: null } : null;
}

export function PageDifference({ space, change, layout, after, commentOn }: {
  space: string; change: Difference; layout: Layout; after?: Version; commentOn?: CommentOn;
}) {
  const t = useTexts();
  const documents = documentsOf(change);
  const settings = SETTINGS.flatMap((name) => {
    const sides = change.attributes?.[name];
    return sides ? [[name, sides] as const] : [];
  });
  return (
    <>
      {settings.length > 0 || change.parent ? (
        <dl className={css.attributes}>
          {settings.map(([name, sides]) => (
            <div key={name}>
              <dt>{t.settings[name]}</dt>
              <dd>
                {sides.before === null || sides.before === '' ? null : <del>{String(sides.before)}</del>}{' '}
                {sides.after === null || sides.after === '' ? null : <ins>{String(sides.after)}</ins>}
              </dd>
            </div>
          ))}
          {change.parent ? (
            <div>
              <dt>{t.place}</dt>
              <dd><del>{change.parent.before?.title ?? t.topLevel}</del> <ins>{change.parent.after?.title ?? t.topLevel}</ins></dd>
            </div>
          ) : null}
        </dl>
      ) : null}
      {documents ? (
        <Documents space={space} sides={documents} layout={layout} page={change.page.pageId ?? null} {...(after ? { version: after } : {})} {...(commentOn ? { commentOn } : {})} />
      ) : null}
    </>
  );
}

function useDocument(space: string, id: string | null) {
  const result = useRead(STORED, { space, id: id ?? '' }, id === null, UNCHANGING);
  const nodes = id === null ? [] : (result.data?.document?.nodes as AnyNode[] | undefined);
  const style = useMemo(() => styleOf(result.data?.document), [result.data]);
  return { nodes, style, error: result.error, again: result.again };
}

function Documents({ space, sides, layout, page, version, commentOn }: {
  space: string; sides: Sides<string>; layout: Layout; page: string | null; version?: Version; commentOn?: CommentOn;
}) {
  const t = useTexts();
  const on: CommentOn = { space, change: version?.kind === 'change' ? version.id : null };
  const before = useDocument(space, sides.before);
  const after = useDocument(space, sides.after);
  const { first: drawn, more } = useMore(DRAWN, Number.POSITIVE_INFINITY);
  const [target, setTarget] = useState<{ node: string | null; about: string } | null>(null);
  const changes = useMemo(
    () => (before.nodes && after.nodes ? blocksBetween(before.nodes, after.nodes) : null),
    [before.nodes, after.nodes],
  );
  const places = useMemo(() => changes && placesOf(changes), [changes]);
  const said = usePageComments(on, version?.kind === 'change' ? page : null);
  if (before.error ?? after.error) return <FailureNotice error={before.error ?? after.error} again={before.error ? before.again : after.again} />;
  if (changes === null) return <Waiting />;
  // What was said of a block stands below it; all else, and what is said of blocks that are not drawn, below the page.
  const shown = changes.slice(0, drawn);
  const ofBlock = new Map<BlockChange, CommentThreadFragment[]>();
  const placed = new Set<CommentThreadFragment>();
  for (const comment of said.comments) {
    const change = comment.target.node ? places?.get(comment.target.node.nodeId) : undefined;
    if (change === undefined || change.index >= drawn) continue;
    ofBlock.get(change.of)?.push(comment) ?? ofBlock.set(change.of, [comment]);
    placed.add(comment);
  }
  const comment = commentOn && page ? (node: string | null, about: string): void => setTarget({ node, about }) : null;
  const form = ({ node, about }: { node: string | null; about: string }): ReactNode => commentOn && page ? (
    <CommentForm key={node} on={{ ...commentOn, page, node }} about={about} onDone={() => setTarget(null)} autoFocus />
  ) : null;
  return (
    <>
      {shown.map((change, index) => (
        <OneChange key={index} change={change} layout={layout} style={change.kind === 'removed' ? before.style : after.style} comment={comment}>
          <Said comments={ofBlock.get(change) ?? []} gone={said.gone} on={on} {...(version ? { version } : {})} />
          {target?.node && target.node === keyOf(change) ? form(target) : null}
        </OneChange>
      ))}
      {changes.length > drawn ? <div><Button onPress={more}>{t.showMoreOf(changes.length - drawn)}</Button></div> : null}
      <Said comments={said.comments.filter((comment) => !placed.has(comment))} gone={said.gone} on={on} {...(version ? { version } : {})} />
      {said.more}
      <FailureNotice error={said.error} again={said.again} />
      {/* What is written about a block that has gone meanwhile stays below the page. */}
      {target?.node && !shown.some((change) => keyOf(change) === target.node) ? form(target) : null}
      {commentOn && page ? (
        target?.node === null ? form(target) : (
          <div>
            <Button look="plain" onPress={() => setTarget({ node: null, about: '' })}>
              <MessageSquarePlus size={16} aria-hidden />{t.commentOnPage}
            </Button>
          </div>
        )
      ) : null}
    </>
  );
}

/** In which change a block is, by its key: also one inside of another. */
function placesOf(changes: readonly BlockChange[]): ReadonlyMap<string, { of: BlockChange; index: number }> {
  const places = new Map<string, { of: BlockChange; index: number }>();
  const note = (node: AnyNode, of: BlockChange, index: number): void => {
    if (node.key !== undefined && !places.has(node.key)) places.set(node.key, { of, index });
    for (const child of [...(node.nodes ?? []), ...(node.fragments ?? [])]) note(child, of, index);
  };
  changes.forEach((of, index) => {
    if (of.kind === 'edited' || of.kind === 'added') note(of.kind === 'edited' ? of.after : of.block, of, index);
  });
  return places;
}

const keyOf = (change: BlockChange): string | null =>
  change.kind === 'same' || change.kind === 'removed' ? null : ((change.kind === 'edited' ? change.after : change.block).key ?? null);

const ABOUT = 80;
/** Changes of a document that are drawn before somebody asks for more: thousands would hold up the browser. */
const DRAWN = 150;

function Edited({ change: { before, after, words }, without }: { change: BlockChange & { kind: 'edited' }; without?: Word['kind'] }) {
  const rows = useMemo(() => rowsBetween(before, after), [before, after]);
  return rows ? <RowsChanged rows={rows} {...(without ? { without } : {})} /> : <Words words={words} without={without} />;
}

function OneChange({ change, layout, style, comment, children }: {
  change: BlockChange; layout: Layout; style: Data; comment: ((node: string | null, about: string) => void) | null; children: ReactNode;
}) {
  const t = useTexts();
  if (change.kind === 'same') {
    return (
      <details className={css.same} aria-label={t.unchangedBlocks(change.blocks.length)}>
        <summary>{t.unchangedBlocks(change.blocks.length)}</summary>
        <div style={{ paddingInline: '0.75rem' }}><DocumentBlocks nodes={change.blocks as readonly Block[]} style={style} /></div>
      </details>
    );
  }
  const block = change.kind === 'edited' ? change.after : change.block;
  const key = block.key;
  return (
    <div className={css.block} data-kind={change.kind} role="group" aria-label={t.blockChanges[change.kind]}>
      {change.kind === 'edited' ? (
        layout === 'sides' ? (
          <div className={css.sides}>
            <div><h3>{t.before}</h3><Edited change={change} without="added" /></div>
            <div><h3>{t.after}</h3><Edited change={change} without="removed" /></div>
          </div>
        ) : <Edited change={change} />
      ) : <DocumentBlocks nodes={[change.block as Block]} style={style} />}
      {change.kind === 'edited' && change.words.every((word) => word.kind === 'same') ? <p className={css.same}>{t.onlyForm}</p> : null}
      {comment && key && change.kind !== 'removed' ? (
        <Button look="plain" onPress={() => comment(key, textOf(block).slice(0, ABOUT))}>
          <MessageSquarePlus size={15} aria-hidden />{t.commentHere}<span className="hidden-text"> {textOf(block).slice(0, ABOUT)}</span>
        </Button>
      ) : null}
      {children}
    </div>
  );
}
