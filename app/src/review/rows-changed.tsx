/** A list or a table that was edited: its items and cells where they stand, and in each the words that changed. */

import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { type Row, type RowChange, type Rows } from './rows.ts';
import css from './review.module.css';
import { InLine } from './words.tsx';
import type { Word } from './words-between.ts';

/** Rows that did not change are drawn beside those that did: so many of them. */
const NEAR = 2;

/** What is drawn of a row: where it stands, and whether it came or went. */
type Line = { readonly row: Row; readonly kind: 'same' | 'edited' | 'added' | 'removed' } | { readonly left: number };

function linesOf(changes: readonly RowChange[], without: Word['kind'] | undefined): Line[] {
  return changes.flatMap((change, index): Line[] => {
    if (change.kind !== 'same') return change.kind === without ? [] : [{ row: change.row, kind: change.kind }];
    const [first, last] = [index === 0 ? 0 : NEAR, index === changes.length - 1 ? 0 : NEAR];
    const lines = change.rows.map((row): Line => ({ row, kind: 'same' }));
    const left = lines.length - first - last;
    return left < 2 ? lines : [...lines.slice(0, first), { left }, ...lines.slice(lines.length - last)];
  });
}

function Cell({ row, index, kind, without }: { row: Row; index: number; kind: 'same' | 'edited' | 'added' | 'removed'; without?: Word['kind'] | undefined }): ReactNode {
  const t = useTexts();
  const inner = <InLine words={row.cells[index] ?? []} without={without} />;
  // Beside each other it is said of the newer one.
  if (row.onlyForm.has(index) && without !== 'added') return <>{inner} <small className={css.same}>{t.onlyForm}</small></>;
  return kind === 'added' ? <ins>{inner}</ins> : kind === 'removed' ? <del>{inner}</del> : inner;
}

export function RowsChanged({ rows: { head, changes }, without }: { rows: Rows; without?: Word['kind'] }) {
  const t = useTexts();
  const lines = linesOf(changes, without);
  const columns = head?.length ?? Math.max(1, ...lines.map((line) => ('row' in line ? line.row.cells.length : 1)));
  if (changes.some((change) => change.kind === 'same' ? change.rows.some((row) => row.sign) : change.row.sign)) {
    return (
      <ul className={css.items}>
        {lines.map((line, index) => 'left' in line ? <li key={index} className={css.same}>{t.unchangedRows(line.left)}</li> : (
          <li key={index} dir="auto" style={{ marginInlineStart: `${line.row.depth * 1.2}rem` }}>
            <span>{line.row.sign}</span>
            <span className={css.words}><Cell row={line.row} index={0} kind={line.kind} without={without} /></span>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className={css.cells} role="group" aria-label={t.table} tabIndex={0}>
      <table>
        {head ? <thead><tr>{head.map((words, index) => <th key={index} scope="col" dir="auto"><InLine words={words} without={without} /></th>)}</tr></thead> : null}
        <tbody>
          {lines.map((line, index) => 'left' in line ? <tr key={index} className={css.same}><td colSpan={columns}>{t.unchangedRows(line.left)}</td></tr> : (
            <tr key={index} data-kind={line.kind}>
              {line.row.cells.map((_, cell) => <td key={cell} dir="auto" className={css.words}><Cell row={line.row} index={cell} kind={line.kind} without={without} /></td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
