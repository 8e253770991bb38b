/** Small forms of the editor: where a link leads, and what a block has beside its text. */

import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button, Dialog, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import type { Data } from '../document/json.ts';
import { type Field, KINDS } from './kinds.ts';

const PAGES = graphql(`
  query PagesToLink($organization: ID!, $words: String!) {
    organization(id: $organization) {
      id
      search(first: 5, query: $words) { nodes { spaceId title pages(first: 6) { nodes { pageId title path } } } }
    }
  }
`);

export interface LinkTarget {
  readonly reference: Data;
  readonly title: string;
}

const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|#|\/)\S+$/iu;
const HOST = /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/u;
const QUIET_MS = 150;

export function LinkForm({ space, organization, onlyPages, hasLink, onChoose, onRemove, onClose }: {
  space: string; organization: string; onlyPages: boolean; hasLink: boolean;
  onChoose: (target: LinkTarget) => void; onRemove: () => void; onClose: () => void;
}) {
  const texts = useTexts();
  const t = texts.editor;
  const client = useClient();
  const [text, setText] = useState('');
  const [pages, setPages] = useState<{ id: string; space: string; title: string; about: string }[]>([]);
  const words = text.trim();
  const url = !onlyPages && (ADDRESS.test(words) ? words : HOST.test(words) ? `https://${words}` : null);
  useEffect(() => {
    let current = true;
    const timer = window.setTimeout(async () => {
      const answer = words ? await client.query(PAGES, { organization, words }).toPromise() : null;
      if (!current) return;
      setPages((answer?.data?.organization?.search.nodes ?? []).flatMap((one) =>
        one.pages.nodes.map((page) => ({ id: page.pageId, space: one.spaceId, title: page.title, about: `${one.title} · /${page.path}` }))));
    }, QUIET_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [client, organization, words]);
  const choosePage = (page: (typeof pages)[number]): void =>
    onChoose({ reference: { kind: 'page', page: page.id, ...(page.space === space ? {} : { space: page.space }) }, title: page.title });
  return (
    <Dialog title={onlyPages ? t.insertions.pageLink : t.link} isOpen onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (url) onChoose({ reference: { kind: 'url', url }, title: words });
          else if (pages[0]) choosePage(pages[0]);
        }}
      >
        <label className={ui.field}>
          <span className={ui.label}>{t.linkTo}</span>
          <input className={ui.input} value={text} autoFocus dir="auto" onChange={(event) => setText(event.target.value)} />
        </label>
        <ul className={css.pages} aria-label={texts.results}>
          {url ? <li><Button look="plain" onPress={() => onChoose({ reference: { kind: 'url', url }, title: words })}>{t.useAddress(url)}</Button></li> : null}
          {pages.map((page) => (
            <li key={`${page.space} ${page.id}`}>
              <Button look="plain" onPress={() => choosePage(page)}><bdi>{page.title}</bdi> <small><bdi>{page.about}</bdi></small></Button>
            </li>
          ))}
        </ul>
        {hasLink ? <div className={ui.actions}><Button onPress={onRemove}>{t.removeLink}</Button></div> : null}
      </form>
    </Dialog>
  );
}

const valueOf = (field: Field, text: string): unknown => {
  if (text === '') return undefined;
  if (field.as === 'flag') return text === 'true' ? true : undefined;
  if (field.as !== 'number') return text;
  return /^\d{1,6}$/u.test(text) ? Number(text) : undefined;
};

/** A length with a unit is shown by nobody's number, and stays. */
const isShown = (field: Field, data: Data): boolean =>
  field.as !== 'number' || data[field.name] === undefined || typeof data[field.name] === 'number';

export function BlockForm({ type, data, isNew, onApply, onDelete, onAdd, onClose }: {
  type: string; data: Data; isNew: boolean; onApply: (data: Data) => void; onDelete: () => void; onAdd: (() => void) | null; onClose: () => void;
}) {
  const t = useTexts().editor;
  const fields = (KINDS[type]?.fields ?? []).filter((field) => isShown(field, data));
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, data[field.name] === undefined ? '' : String(data[field.name])])));
  const set = (name: string, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  const label = t.kinds[type as keyof typeof t.kinds] ?? type;
  const isMissing = fields.some((field) => field.isNeeded && !values[field.name]);
  return (
    <Dialog title={label} isOpen onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isMissing) onApply(Object.fromEntries(fields.map((field) => [field.name, valueOf(field, values[field.name] ?? '')])));
        }}
      >
        {fields.map((field, index) => {
          const value = values[field.name] ?? '';
          const common = { id: `field-${field.name}`, autoFocus: index === 0, className: ui.input };
          const name = t.fields[field.name as keyof typeof t.fields] ?? field.name;
          return (
            <label key={field.name} className={ui.field}>
              <span className={ui.label}>{name}</span>
              {field.as === 'flag' ? (
                <input type="checkbox" className={css.flag} checked={value === 'true'} onChange={(event) => set(field.name, event.target.checked ? 'true' : '')} />
              ) : field.as === 'text' ? (
                <textarea {...common} value={value} spellCheck={false} onChange={(event) => set(field.name, event.target.value)} />
              ) : typeof field.as === 'object' ? (
                <select {...common} value={value} onChange={(event) => set(field.name, event.target.value)}>
                  {field.as.of.map((one) => <option key={one} value={one}>{one || t.usual}</option>)}
                </select>
              ) : (
                <input {...common} value={value} dir="auto" inputMode={field.as === 'number' ? 'numeric' : undefined} onChange={(event) => set(field.name, event.target.value)} />
              )}
            </label>
          );
        })}
        <div className={ui.actions}>
          {isNew ? null : <Button onPress={onDelete}>{t.deleteBlock}</Button>}
          {onAdd ? <Button onPress={onAdd}>{t.partAfter}</Button> : null}
          {fields.length > 0 ? <Button look="primary" type="submit" isDisabled={isMissing}>{t.apply}</Button> : null}
        </div>
      </form>
    </Dialog>
  );
}
