/** A list that goes on below what is there, however long it is: portions far from the screen are neither drawn nor read anew. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { AnyVariables } from 'urql';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, ui } from '../ui/ui.tsx';
import { framed, type Kind, Windowed } from '../ui/windowed.tsx';
import { useRead, Waiting } from './reading.tsx';
import { holdsTyped, useStaying } from './staying.ts';

export interface Portion<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What is known of a portion also when it is not drawn: how many rows it has, and what comes behind it. */
export interface Extent {
  readonly count: number;
  readonly end: string | null;
}

interface Read<Data, Variables, Row> {
  readonly query: TypedDocumentNode<Data, Variables>;
  /** Without `after`, which is that of each portion. */
  readonly variables: Omit<Variables, 'after'>;
  readonly pick: (data: Data) => Portion<Row> | null | undefined;
  readonly kind: Kind;
  readonly columns?: number;
  /** Rows of a portion, and how many stand before them. */
  readonly children: (nodes: readonly Row[], before: number) => ReactNode;
}

function One<Data, Variables extends AnyVariables, Row>({ query, variables, pick, kind, columns, children, after, before, index, onRead, onAnswer }: Read<Data, Variables, Row> & {
  after: string | null; before: number; index: number; onRead: (index: number, extent: Extent) => void; onAnswer: () => void;
}) {
  const result = useRead(query, { ...variables, after } as unknown as Variables);
  const now = result.data === undefined || result.data === null ? undefined : pick(result.data);
  const portion = useStaying(result.of, now, now == null && (result.error !== undefined || !result.fetching));
  const count = portion?.nodes.length;
  const end = portion?.pageInfo.hasNextPage ? portion.pageInfo.endCursor : null;
  useEffect(() => {
    if (count !== undefined) onRead(index, { count, end });
  }, [index, count, end, onRead]);
  const isAnswered = count !== undefined || result.error !== undefined;
  useEffect(() => {
    if (isAnswered) onAnswer();
  }, [isAnswered, onAnswer]);
  if (portion) return children(portion.nodes, before);
  if (result.error !== undefined) return framed(kind, <FailureNotice error={result.error} again={result.again} />, columns);
  return framed(kind, result.fetching || result.data === undefined ? <Waiting /> : <FailureNotice kind="missing" />, columns);
}

/** `behind` what is shown already it begins; `around` is what the portions stand in, as a table is; `empty` is shown where there is no row; `foot` below them, where it is not pushed away by what comes. */
export function Portions<Data, Variables extends AnyVariables, Row>({ behind, className, around = (portions) => portions, empty = null, foot = null, label, ...read }: Read<Data, Variables, Row> & {
  behind?: Extent; className?: string | undefined; around?: (portions: ReactNode) => ReactNode; empty?: ReactNode; foot?: ReactNode; label: ReactNode;
}) {
  const [open, setOpen] = useState(behind === undefined ? 1 : 0);
  const [extents, setExtents] = useState<readonly Extent[]>([]);
  const onRead = useCallback((index: number, extent: Extent): void => setExtents((before) => {
    const was = before[index];
    if (was?.count === extent.count && was.end === extent.end) return before;
    return Object.assign([...before], { [index]: extent });
  }), []);
  const [isAnswered, setAnswered] = useState(behind !== undefined);
  const onAnswer = useCallback(() => setAnswered(true), []);
  const portions: ReactNode[] = [];
  let [before, after] = [behind?.count ?? 0, behind?.end ?? null];
  // A portion begins where the one before it ends, also when rows have come or gone.
  for (let index = 0; index < open && (index === 0 || after !== null); index += 1) {
    portions.push(
      <Windowed key={index} kind={read.kind} columns={read.columns} className={className}>
        <One {...read} after={after} before={before} index={index} onRead={onRead} onAnswer={onAnswer} />
      </Windowed>,
    );
    before += extents[index]?.count ?? 0;
    after = extents[index]?.end ?? null;
  }
  const isReading = portions.length > 0 && extents[portions.length - 1] === undefined;
  const frame = useRef<HTMLDivElement>(null);
  const isEmpty = before === 0 && extents[0] !== undefined;
  return (
    <>
      {isEmpty ? empty : null}
      {/* A row that is gone may stay for what is written in it. */}
      <div ref={frame} className={ui.portions} hidden={isEmpty && !holdsTyped(frame.current)}>{around(portions)}</div>
      {/* It stays while rows are on their way: whoever has pressed it can go on with it. */}
      {after !== null || (isReading && (open > 1 || behind !== undefined)) ? (
        <div><Button aria-disabled={isReading} onPress={() => isReading || setOpen(portions.length + 1)}>{label}</Button></div>
      ) : null}
      {isAnswered ? foot : null}
    </>
  );
}
