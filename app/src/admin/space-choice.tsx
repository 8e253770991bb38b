/** Choosing a space or a collection of an organization: from a list while they are few, by a word of its title when they are many. */

import { useLayoutEffect, useState } from 'react';
import type { CombinedError } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { useAdminTexts } from '../texts/admin/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { type Chosen, Choosing } from './choosing.tsx';
import { Choice, fitting, useRested } from './kit.tsx';

const FEW = 100;
const SPACES = graphql(`
  query SpacesToShow($organization: ID!, $first: Int!, $title: String) {
    organization(id: $organization) { id spaces(first: $first, title: $title) { nodes { id title parent { id title } } pageInfo { hasNextPage } } }
  }
`);
const COLLECTIONS = graphql(`
  query CollectionsToFill($organization: ID!, $first: Int!, $title: String) {
    organization(id: $organization) { id collections(first: $first, title: $title) { nodes { id title parent { id title } } pageInfo { hasNextPage } } }
  }
`);

interface Wanted {
  readonly organization: string;
  readonly first: number;
  readonly title: string | null;
}
interface Places {
  readonly nodes: ReadonlyArray<{ readonly id: string; readonly title: string; readonly parent: { readonly title: string } | null }>;
  readonly pageInfo: { readonly hasNextPage: boolean };
}
type Read = (wanted: Wanted, pause?: boolean) => { places: Places | undefined; error: CombinedError | undefined; fetching: boolean; again: () => void };

const useSpaces: Read = (wanted, pause) => {
  const { data, error, fetching, again } = useRead(SPACES, wanted, pause);
  return { places: data?.organization?.spaces, error, fetching, again };
};
const useCollections: Read = (wanted, pause) => {
  const { data, error, fetching, again } = useRead(COLLECTIONS, wanted, pause);
  return { places: data?.organization?.collections, error, fetching, again };
};

interface Props {
  readonly organization: string;
  readonly label: string;
  /** Offered where none has to be chosen; else the first one is, until another one is chosen. */
  readonly none?: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function PlaceChoice({ organization, label, none, value, onChange, usePlaces, begin, show, notFound, missing }: Props & {
  usePlaces: Read; begin?: Chosen | null; show: string; notFound: string; missing?: string | null;
}) {
  const a = useAdminTexts();
  const { loading } = useTexts();
  const [words, setWords] = useState(begin?.id === value ? begin.title : '');
  const [chosen, setChosen] = useState<Chosen | null>(begin?.id === value ? begin : null);
  const rested = useRested(words.trim());
  const { places: few, error, again } = usePlaces({ organization, first: FEW, title: null });
  const isMany = few?.pageInfo.hasNextPage ?? false;
  const title = rested === chosen?.title ? null : rested || null;
  const matching = usePlaces({ organization, first: 30, title }, !isMany);
  const rows = few?.nodes ?? [];
  const matches = (matching.places?.nodes ?? []).map(({ id, title, parent }) => ({ id, title, ...(parent ? { about: parent.title } : {}) }));
  const isAnswered = words === chosen?.title || (rested === words.trim() && !matching.fetching);
  // What is shown as chosen is what is sent; it is said before anybody can choose another one, which it would replace.
  const first = none === undefined && !isMany && value === '' ? rows[0]?.id : undefined;
  useLayoutEffect(() => {
    if (first !== undefined) onChange(first);
  }, [first]);
  // A form that is opened again shows none as chosen.
  useLayoutEffect(() => {
    if (isMany && chosen === null && value !== '') onChange('');
  }, [isMany]);
  if (few === undefined && error === undefined) return <Choice label={label} value="" onChange={onChange} options={[['', loading]]} isDisabled />;
  if (!isMany) {
    if (begin !== undefined && rows.length === 0) return <FailureNotice error={error} again={again} />;
    const options = rows.map((place) => [place.id, place.title] as const);
    return (
      <>
        <Choice label={label} value={value} onChange={onChange} options={none === undefined ? options : [['', none], ...options]} />
        <FailureNotice error={error} again={again} />
      </>
    );
  }
  return (
    <Choosing
      label={label} hint={none ?? a.picker.spaceHint} words={words} onWords={setWords} chosen={chosen}
      offer={{
        rows: fitting(matches, words.trim(), isAnswered), isMore: matching.places?.pageInfo.hasNextPage ?? false, isAnswered,
        error: matching.error, again: matching.again, show, none: notFound,
      }}
      fault={missing && value === '' ? missing : undefined}
      onPick={(place) => {
        setChosen(place);
        onChange(place?.id ?? '');
      }}
    />
  );
}

export function SpaceChoice({ isMissing = false, ...props }: Props & { isMissing?: boolean }) {
  const { picker } = useAdminTexts();
  return <PlaceChoice {...props} usePlaces={useSpaces} show={picker.showSpaces} notFound={picker.noSpaces} missing={isMissing ? picker.chooseSpace : null} />;
}

export function CollectionChoice(props: Props & { begin: Chosen | null }) {
  const { picker } = useAdminTexts();
  return <PlaceChoice {...props} usePlaces={useCollections} show={picker.showCollections} notFound={picker.noCollections} />;
}
