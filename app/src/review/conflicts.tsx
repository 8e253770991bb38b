/** Conflicts: both sides of each, and which of them holds. */

import { useMemo } from 'react';
import { DocumentBlocks } from '../document/blocks.tsx';
import type { Block } from '../document/model.ts';
import { type AnyNode, textOf } from '../document/text.ts';
import { graphql } from '../graph/generated/index.ts';
import type { ConflictFragment, ConflictResolution } from '../graph/generated/graphql.ts';
import { useRead } from '../graph/reading.tsx';
import { useMutation } from '../graph/write.ts';
import { written } from '../live/done.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Badge, Button, Empty, ui } from '../ui/ui.tsx';
import { wordsBetween } from './words-between.ts';
import type { ChangeRequest } from './change.tsx';
import css from './review.module.css';
import { Words } from './words.tsx';

export const CONFLICT = graphql(`
  fragment Conflict on MergeConflict {
    id
    kind
    pageId
    block
    field
    base
    ours
    theirs
  }
`);

const RESOLVE = graphql(`
  mutation ResolveConflict($space: ID!, $change: ID!, $id: ID!, $input: ResolveConflictInput!) {
    resolveConflict(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id resolution resolvedAt }
  }
`);
const PAGE_TITLE = graphql(`
  query TitleOfPage($space: ID!, $page: ID!, $change: ID!) {
    page(spaceId: $space, id: $page, changeRequestId: $change) { id title }
  }
`);

function Side({ side }: { side: Record<string, unknown> | null }) {
  const t = useTexts();
  if (side === null) return <p className={css.about}>{t.notThere}</p>;
  if (side['object'] === 'block') return <DocumentBlocks nodes={[side as unknown as Block]} />;
  if (Array.isArray(side['nodes'])) return <DocumentBlocks nodes={side['nodes'] as Block[]} />;
  const value = side['value'];
  if (typeof value === 'string' || typeof value === 'number') return <p dir="auto">{String(value)}</p>;
  return <pre tabIndex={0} style={{ whiteSpace: 'pre-wrap' }}>{JSON.stringify(value ?? side, null, 2)}</pre>;
}

/** What is read of a side; null where it is no text. */
function textIn(side: Record<string, unknown> | null): string | null {
  if (side === null) return null;
  if (side['object'] === 'block') return textOf(side as AnyNode);
  if (Array.isArray(side['nodes'])) return (side['nodes'] as AnyNode[]).map(textOf).join('\n');
  return typeof side['value'] === 'string' ? side['value'] : null;
}

/** The words of a side that are others than they were before both changed them. */
function Changed({ base, side }: { base: ConflictFragment['base']; side: ConflictFragment['ours'] }) {
  const t = useTexts();
  const words = useMemo(() => {
    const [before, after] = [textIn(base), textIn(side)];
    return before === null || after === null || before === after ? null : wordsBetween(before, after);
  }, [base, side]);
  if (words === null) return null;
  return <div role="group" aria-label={t.whatChanged}><p className={css.about}>{t.whatChanged}</p><Words words={words} /></div>;
}

function Title({ space, change, page }: { space: string; change: string; page: string }) {
  const result = useRead(PAGE_TITLE, { space, change, page });
  return <strong><bdi>{result.data?.page?.title ?? ''}</bdi></strong>;
}

const BOTH = new Set<ConflictFragment['kind']>(['BLOCK', 'CELL']);

function ConflictCard({ space, change, conflict, number }: { space: string; change: string; conflict: ConflictFragment; number: number }) {
  const t = useTexts();
  const [{ fetching, error }, resolve] = useMutation(RESOLVE);
  const what = t.conflictOf(number, t.conflictKinds[conflict.kind]);
  const about = <span className="hidden-text"> {what}</span>;
  const decide = async (resolution: ConflictResolution): Promise<void> => {
    const result = await resolve({ space, change, id: conflict.id, input: { resolution } });
    if (!result.error) written();
  };
  return (
    <article className={css.change} aria-label={what}>
      <div className={css.changeBody}>
        <div style={{ display: 'flex', gap: '0.6rem', alignItems: 'center', flexWrap: 'wrap' }}>
          {conflict.pageId ? <Title space={space} change={change} page={conflict.pageId} /> : null}
          <Badge tone="warn">{t.conflictKinds[conflict.kind]}</Badge>
          {conflict.field ? <code>{t.settings[conflict.field as keyof typeof t.settings] ?? conflict.field}</code> : null}
        </div>
        <div className={css.sides}>
          <div className={css.block} data-kind="edited"><h3>{t.ours}</h3><Side side={conflict.ours} /><Changed base={conflict.base} side={conflict.ours} /></div>
          <div className={css.block} data-kind="edited"><h3>{t.theirs}</h3><Side side={conflict.theirs} /><Changed base={conflict.base} side={conflict.theirs} /></div>
        </div>
        <FailureNotice error={error} />
        <div className={ui.actions}>
          <Button isDisabled={fetching} onPress={() => void decide('OURS')}>{t.takeOurs}{about}</Button>
          <Button isDisabled={fetching} onPress={() => void decide('THEIRS')}>{t.takeTheirs}{about}</Button>
          {BOTH.has(conflict.kind) ? <Button isDisabled={fetching} onPress={() => void decide('BOTH')}>{t.takeBoth}{about}</Button> : null}
        </div>
      </div>
    </article>
  );
}

export function Conflicts({ space, change }: { space: string; change: ChangeRequest }) {
  const t = useTexts();
  const { nodes, pageInfo } = change.conflictsOpen;
  if (nodes.length === 0) return <Empty>{t.allResolved}</Empty>;
  return (
    <div className={css.changes}>
      <p>{t.conflictsAbout}</p>
      {nodes.map((conflict, index) => <ConflictCard key={conflict.id} space={space} change={change.id} conflict={conflict} number={index + 1} />)}
      {pageInfo.hasNextPage ? <p className={css.about}>{t.moreConflicts}</p> : null}
    </div>
  );
}
