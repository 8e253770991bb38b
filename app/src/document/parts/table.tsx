/** Tables: as a grid, or as cards. Cells hold blocks, or values of their column's type. */

import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/ui.tsx';
import { Blocks } from '../blocks.tsx';
import css from '../document.module.css';
import { Picture, To } from '../inlines.tsx';
import type { ContentReference, Table, TableCell, TableColumn, TableRecord } from '../model.ts';
import { useReader } from '../references.tsx';
import { starsOf } from '../text.ts';

function isReference(value: unknown): value is ContentReference {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** The reference of a cell; files and people may be named by their id alone. */
function referenceOf(value: TableCell | string | ContentReference, kind: TableColumn['type']): ContentReference | null {
  if (isReference(value)) return value;
  if (typeof value === 'object' && value !== null && 'ref' in value) return value.ref;
  if (typeof value !== 'string') return null;
  if (kind === 'files' || kind === 'image') return { kind: 'file', file: value };
  return kind === 'users' ? { kind: 'user', user: value } : null;
}

function Value({ node, column, value }: { node: Table; column: TableColumn; value: TableCell | undefined }) {
  const t = useTexts();
  const { resolve } = useReader();
  if (value === undefined || value === null) return null;
  switch (column.type) {
    case 'text': {
      const cell = node.fragments.find((fragment) => fragment.fragment === value);
      return cell ? <Blocks nodes={cell.nodes} /> : null;
    }
    case 'number':
      return <>{String(value)}</>;
    case 'checkbox':
      return <input type="checkbox" checked={value === true} disabled aria-label={value === true ? t.done : t.notDone} />;
    case 'rating': {
      const { stars, most } = starsOf(value, column.max);
      return <span role="img" aria-label={t.rating(stars, most)}>{'★'.repeat(stars)}{'☆'.repeat(most - stars)}</span>;
    }
    case 'select': {
      const values = Array.isArray(value) ? value : [value];
      return <>{values.map((value) => <Badge key={String(value)}>{column.options.find((option) => option.value === value)?.label ?? String(value)}</Badge>)}</>;
    }
    case 'image': {
      const reference = referenceOf(value, 'image');
      return reference ? <Picture reference={reference} /> : null;
    }
    default: {
      const values: readonly (TableCell | string | ContentReference)[] = Array.isArray(value) ? value : [value];
      const parts: ReactNode[] = values.map((value, index) => {
        const reference = referenceOf(value, column.type);
        if (reference === null) return null;
        const target = resolve(reference);
        return <span key={index}>{index > 0 ? ', ' : ''}<To target={target}>{target.title || t.brokenLink}</To></span>;
      });
      return <>{parts}</>;
    }
  }
}

const inOrder = (node: Table): Array<[string, TableRecord]> =>
  Object.entries(node.data.records).sort(([, a], [, b]) => (a.orderIndex < b.orderIndex ? -1 : 1));

const ALIGN = { left: 'start', center: 'center', right: 'end' } as const;

export function TableBlock({ node }: { node: Table }) {
  const t = useTexts();
  const { view, definition } = node.data;
  const columns = view.columns.flatMap((id) => definition[id] ?? []);
  const rows = inOrder(node);
  if (view.type === 'cards') return <Cards node={node} rows={rows} columns={columns} />;
  return (
    <div className={css.scroll} role="group" aria-label={t.table} tabIndex={0}>
      <table className={css.table}>
        {view.hideHeader ? null : (
          <thead><tr>{columns.map((column) => <th key={column.id} scope="col" dir="auto">{column.title}</th>)}</tr></thead>
        )}
        <tbody>
          {rows.map(([id, record]) => (
            <tr key={id}>
              {columns.map((column) => (
                <td key={column.id} style={column.type === 'text' && column.textAlignment ? { textAlign: ALIGN[column.textAlignment] } : undefined}>
                  <Value node={node} column={column} value={record.values[column.id]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards({ node, rows, columns }: { node: Table; rows: Array<[string, TableRecord]>; columns: TableColumn[] }) {
  const t = useTexts();
  const { resolve } = useReader();
  const view = node.data.view;
  if (view.type !== 'cards') return null;
  return (
    <ul className={css.cards}>
      {rows.map(([id, record]) => {
        const to = view.targetDefinition ? referenceOf(record.values[view.targetDefinition] ?? null, 'content-ref') : null;
        const cover = view.coverDefinition ? record.values[view.coverDefinition] : null;
        const picture = cover ? referenceOf(Array.isArray(cover) ? (cover[0] ?? null) : cover, 'image') : null;
        const target = to ? resolve(to) : null;
        return (
          <li key={id} className={css.card}>
            {picture ? <div className={css.cover}><Picture reference={picture} /></div> : null}
            {columns.filter((column) => column.id !== view.targetDefinition && column.id !== view.coverDefinition && column.id !== view.coverDefinitionDark)
              .map((column) => <div key={column.id}><Value node={node} column={column} value={record.values[column.id]} /></div>)}
            {target ? <div><To target={target}>{target.title || t.open}</To></div> : null}
          </li>
        );
      })}
    </ul>
  );
}
