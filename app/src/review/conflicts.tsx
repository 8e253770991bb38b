/** Conflicts: both sides of each, and which of them holds. */

import { useMutation } from 'urql';
import { Blocks } from '../document/blocks.tsx';
import type { Block } from '../document/model.ts';
import { graphql } from '../graph/generated/index.ts';
import type { ConflictFragment, ConflictResolution } from '../graph/generated/graphql.ts';
import { useRead } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Badge, Button, Empty, ui } from '../ui/ui.tsx';
import type { ChangeRequest } from './change.tsx';
import css from './review.module.css';

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
  if (side['object'] === 'block') return <Blocks nodes={[side as unknown as Block]} />;
  if (Array.isArray(side['nodes'])) return <Blocks nodes={side['nodes'] as Block[]} />;
  const value = side['value'];
  if (typeof value === 'string' || typeof value === 'number') return <p dir="auto">{String(value)}</p>;
  return <pre tabIndex={0} style={{ whiteSpace: 'pre-wrap' }}>{JSON.stringify(value ?? side, null, 2)}</pre>;
}

function Title({ space, change, page }: { space: string; change: string; page: string }) {
  const result = useRead(PAGE_TITLE, { space, change, page });
  return <strong><bdi>{result.data?.page?.title ?? ''}</bdi></strong>;
}

const BOTH = new Set<ConflictFragment['kind']>(['BLOCK', 'CELL']);

function ConflictCard({ space, change, conflict }: { space: string; change: string; conflict: ConflictFragment }) {
  const t = useTexts();
  const [{ fetching, error }, resolve] = useMutation(RESOLVE);
  const decide = async (resolution: ConflictResolution): Promise<void> => {
    const result = await resolve({ space, change, id: conflict.id, input: { resolution } });
    if (!result.error) refreshVisible();
  };
  return (
    <article className={css.change}>
      <div className={css.changeBody}>
        <div style={{ display: 'flex', gap: '0.6rem', alignItems: 'center', flexWrap: 'wrap' }}>
          {conflict.pageId ? <Title space={space} change={change} page={conflict.pageId} /> : null}
          <Badge tone="warn">{t.conflictKinds[conflict.kind]}</Badge>
          {conflict.field ? <code>{conflict.field}</code> : null}
        </div>
        <div className={css.sides}>
          <div className={css.block} data-kind="edited"><h4>{t.ours}</h4><Side side={conflict.ours} /></div>
          <div className={css.block} data-kind="edited"><h4>{t.theirs}</h4><Side side={conflict.theirs} /></div>
        </div>
        <FailureNotice error={error} />
        <div className={ui.actions}>
          <Button isDisabled={fetching} onPress={() => void decide('OURS')}>{t.takeOurs}</Button>
          <Button isDisabled={fetching} onPress={() => void decide('THEIRS')}>{t.takeTheirs}</Button>
          {BOTH.has(conflict.kind) ? <Button isDisabled={fetching} onPress={() => void decide('BOTH')}>{t.takeBoth}</Button> : null}
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
      {nodes.map((conflict) => <ConflictCard key={conflict.id} space={space} change={change.id} conflict={conflict} />)}
      {pageInfo.hasNextPage ? <p className={css.about}>{t.moreConflicts}</p> : null}
    </div>
  );
}
