/** Choosing a page of a space by a word of it; without one, those that come first. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import { useRead } from '../../graph/reading.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { type Chosen, Choosing } from '../choosing.tsx';
import { fitting, useRested } from '../kit.tsx';

const PAGES = graphql(`
  query PagesToChoose($space: ID!, $words: String!, $isSearch: Boolean!) {
    space(id: $space) {
      id
      search(first: 20, query: $words) @include(if: $isSearch) { nodes { pageId title path } pageInfo { hasNextPage } }
      revision @skip(if: $isSearch) { id allPages(first: 30) { nodes { __typename id pageId title path } pageInfo { hasNextPage } } }
    }
  }
`);

export type ChosenPage = Chosen;

export function PagePicker({ space, label, hint, chosen, isMissing, onPick }: {
  space: string; label: string; hint: string; chosen: ChosenPage | null; isMissing: boolean; onPick: (page: ChosenPage | null) => void;
}) {
  const a = useAdminTexts();
  const [words, setWords] = useState(chosen?.title ?? '');
  const rested = useRested(words.trim());
  const search = rested === chosen?.title ? '' : rested;
  const result = useRead(PAGES, { space, words: search, isSearch: search !== '' }, space === '');
  const read = result.data?.space;
  const pages = (search !== '' ? (read?.search?.nodes ?? []) : (read?.revision?.allPages.nodes ?? []).filter((page) => page.__typename === 'DocumentPage'))
    .map(({ pageId, title, path }) => ({ id: pageId, title, about: `/${path}` }));
  const isAnswered = words === chosen?.title || (rested === words.trim() && !result.fetching);
  return (
    <Choosing
      label={label} hint={hint} words={words} onWords={setWords} chosen={chosen} onPick={onPick}
      offer={{
        rows: fitting(pages, words.trim(), isAnswered), isMore: (read?.search ?? read?.revision?.allPages)?.pageInfo.hasNextPage ?? false, isAnswered,
        error: result.error, again: result.again, show: a.picker.showPages, none: a.picker.noPages,
      }}
      fault={isMissing && chosen === null ? a.picker.choosePage : undefined}
    />
  );
}
