/** One page that has changed: its settings, and its document block by block. */

import { MessageSquarePlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { BlockNode, Blocks } from '../document/blocks.tsx';
import type { Block } from '../document/model.ts';
import { type AnyNode, textOf } from '../document/text.ts';
import { graphql } from '../graph/generated/index.ts';
import { useRead, Waiting } from '../graph/reading.tsx';
import { UNCHANGING } from '../graph/visible.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button } from '../ui/ui.tsx';
import { type BlockChange, blocksBetween, type Word } from './block-diff.ts';
import { CommentForm, type CommentOn } from './comment-form.tsx';
import type { Layout } from './difference.tsx';
import css from './review.module.css';

const STORED = graphql(`
  query StoredDocument($space: ID!, $id: ID!) {
    document(spaceId: $space, id: $id) { documentId nodes }
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

export function PageDifference({ space, change, layout, commentOn }: {
  space: string; change: Difference; layout: Layout; commentOn?: CommentOn;
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
        <Documents space={space} sides={documents} layout={layout} page={change.page.pageId ?? null} {...(commentOn ? { commentOn } : {})} />
      ) : null}
    </>
  );
}

function useDocument(space: string, id: string | null) {
  const result = useRead(STORED, { space, id: id ?? '' }, id === null, UNCHANGING);
  const nodes = id === null ? [] : (result.data?.document?.nodes as AnyNode[] | undefined);
  return { nodes, error: result.error };
}

function Documents({ space, sides, layout, page, commentOn }: {
  space: string; sides: Sides<string>; layout: Layout; page: string | null; commentOn?: CommentOn;
}) {
  const t = useTexts();
  const before = useDocument(space, sides.before);
  const after = useDocument(space, sides.after);
  const [target, setTarget] = useState<{ node: string | null; about: string } | null>(null);
  const changes = useMemo(
    () => (before.nodes && after.nodes ? blocksBetween(before.nodes, after.nodes) : null),
    [before.nodes, after.nodes],
  );
  if (before.error ?? after.error) return <FailureNotice error={before.error ?? after.error} />;
  if (changes === null) return <Waiting />;
  const comment = commentOn && page ? (node: string | null, about: string): void => setTarget({ node, about }) : null;
  return (
    <>
      {changes.map((change, index) => (
        <OneChange key={index} change={change} layout={layout} comment={comment} />
      ))}
      {commentOn && page ? (
        target === null ? (
          <div>
            <Button look="plain" onPress={() => setTarget({ node: null, about: '' })}>
              <MessageSquarePlus size={16} aria-hidden />{t.commentOnPage}
            </Button>
          </div>
        ) : (
          <CommentForm
            key={target.node}
            on={{ ...commentOn, page, node: target.node }}
            about={target.about}
            onDone={() => setTarget(null)}
            autoFocus
          />
        )
      ) : null}
    </>
  );
}

const ABOUT = 80;

function OneChange({ change, layout, comment }: {
  change: BlockChange; layout: Layout; comment: ((node: string | null, about: string) => void) | null;
}) {
  const t = useTexts();
  if (change.kind === 'same') {
    return (
      <details className={css.same}>
        <summary>{t.unchangedBlocks(change.blocks.length)}</summary>
        <div style={{ paddingInline: '0.75rem' }}><Blocks nodes={change.blocks as readonly Block[]} /></div>
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
            <div><h4>{t.before}</h4><Words words={change.words} without="added" /></div>
            <div><h4>{t.after}</h4><Words words={change.words} without="removed" /></div>
          </div>
        ) : <Words words={change.words} />
      ) : <BlockNode node={change.block as Block} />}
      {change.kind === 'edited' && change.words.every((word) => word.kind === 'same') ? <p className={css.same}>{t.onlyForm}</p> : null}
      {comment && key && change.kind !== 'removed' ? (
        <Button look="plain" onPress={() => comment(key, textOf(block).slice(0, ABOUT))}>
          <MessageSquarePlus size={15} aria-hidden />{t.commentHere}
        </Button>
      ) : null}
    </div>
  );
}

const Words = ({ words, without }: { words: readonly Word[]; without?: Word['kind'] }) => (
  <p className={css.words} dir="auto">
    {words.filter((word) => word.kind !== without).map((word, index) =>
      word.kind === 'added' ? <ins key={index}>{word.text}</ins>
      : word.kind === 'removed' ? <del key={index}>{word.text}</del>
      : <span key={index}>{word.text}</span>)}
  </p>
);
