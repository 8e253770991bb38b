/** What a link can lead to: the address that was typed, and pages that words find. The field that is typed in is there before this. */

import { type RefObject, useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import type { Data } from '../document/json.ts';

const PAGES = graphql(`
  query PagesToLink($organization: ID!, $words: String!) {
    organization(id: $organization) {
      id
      search(first: 5, query: $words) { nodes { spaceId title pages(first: 6) { nodes { pageId title path } pageInfo { hasNextPage } } } pageInfo { hasNextPage } }
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

/** Whether Enter was pressed, and for what; it is carried out when it is known where the link leads. */
export interface Sending {
  words: string | null;
  again: (() => void) | null;
}

export function LinkTargets({ space, organization, onlyPages, hasLink, text, field, sending, onChoose, onRemove }: {
  space: string; organization: string; onlyPages: boolean; hasLink: boolean;
  text: string; field: RefObject<HTMLInputElement | null>; sending: Sending;
  onChoose: (target: LinkTarget) => void; onRemove: () => void;
}) {
  const texts = useTexts();
  const t = texts.editor;
  const client = useClient();
  const [pages, setPages] = useState<{ id: string; space: string; title: string; about: string }[]>([]);
  const [isMore, setMore] = useState(false);
  const words = text.trim();
  /** The words that these pages were found by. */
  const [answered, setAnswered] = useState('');
  const [error, setError] = useState<CombinedError>();
  const [tries, setTries] = useState(0);
  const url = !onlyPages && (ADDRESS.test(words) ? words : HOST.test(words) ? `https://${words}` : null);
  useEffect(() => {
    let current = true;
    const timer = window.setTimeout(async () => {
      const answer = words ? await client.query(PAGES, { organization, words }).toPromise() : null;
      if (!current) return;
      setAnswered(words);
      setError(answer?.error);
      const search = answer?.data?.organization?.search;
      setMore(search?.pageInfo.hasNextPage === true || search?.nodes.some((group) => group.pages.pageInfo.hasNextPage) === true);
      setPages((search?.nodes ?? []).flatMap((group) =>
        group.pages.nodes.map((page) => ({ id: page.pageId, space: group.spaceId, title: page.title, about: `${group.title} · /${page.path}` }))));
    }, QUIET_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [client, organization, words, tries]);
  const choosePage = (page: (typeof pages)[number]): void =>
    onChoose({ reference: { kind: 'page', page: page.id, ...(page.space === space ? {} : { space: page.space }) }, title: page.title });
  useEffect(() => {
    const send = (): void => {
      if (sending.words !== words || words === '') return;
      if (!url && answered !== words) return;
      sending.words = null;
      if (url) onChoose({ reference: { kind: 'url', url }, title: words });
      else if (pages[0]) choosePage(pages[0]);
    };
    sending.again = send;
    send();
    return () => {
      sending.again = null;
    };
  });
  return (
    <>
      <ul className={css.pages} aria-label={texts.results}>
        {url ? <li><Button look="plain" onPress={() => onChoose({ reference: { kind: 'url', url }, title: words })}>{t.useAddress(url)}</Button></li> : null}
        {pages.map((page) => (
          <li key={`${page.space} ${page.id}`}>
            <Button look="plain" onPress={() => choosePage(page)}><bdi>{page.title}</bdi> <small><bdi>{page.about}</bdi></small></Button>
          </li>
        ))}
      </ul>
      {answered === words ? (
        <FailureNotice error={error} again={() => setTries(tries + 1)} back={field} />
      ) : null}
      <p role="status" className={ui.hint}>{answered === words && words && !url && !error && pages.length === 0 ? texts.nothingFound(words) : ''}</p>
      {isMore ? <p role="status" className={ui.hint}>{texts.typeMore}</p> : null}
      {hasLink ? <div className={ui.actions}><Button onPress={onRemove}>{t.removeLink}</Button></div> : null}
    </>
  );
}
