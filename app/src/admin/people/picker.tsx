/** Choosing a person or a team of an organization by name. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import { useRead } from '../../graph/reading.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { type Offer, Offering } from '../choosing.tsx';
import { fitting, useRested } from '../kit.tsx';

const PEOPLE = graphql(`
  query PeopleOfOrganization($organization: ID!, $search: String) {
    organization(id: $organization) {
      id
      members(first: 30, search: $search) { nodes { id userId user { id displayName email } } pageInfo { hasNextPage } }
    }
  }
`);
const TEAMS = graphql(`
  query TeamsOfOrganization($organization: ID!, $title: String) {
    organization(id: $organization) { id teams(first: 30, title: $title) { nodes { id title } pageInfo { hasNextPage } } }
  }
`);

interface Picked {
  organization: string; label: string; onPick: (id: string, name: string) => void; isDisabled?: boolean;
}

/** It is empty again after each choice. */
function Picker({ onWords, onPick, ...offering }: Omit<Picked, 'organization'> & { offer: Offer; onWords: (words: string) => void; placeholder: string }) {
  const [round, setRound] = useState(0);
  return (
    <Offering
      {...offering}
      key={round}
      isNarrow
      onInputChange={onWords}
      onChoose={({ id, title }) => {
        setRound(round + 1);
        onWords('');
        onPick(id, title);
      }}
    />
  );
}

export function PersonPicker({ organization, ...picked }: Picked) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const rested = useRested(words.trim());
  const { data, error, fetching, again } = useRead(PEOPLE, { organization, search: rested || null });
  const isAnswered = rested === words.trim() && !fetching;
  const all = (data?.organization?.members.nodes ?? []).map(({ user }) => ({ id: user.id, title: user.displayName, about: user.email }));
  const rows = fitting(all, words.trim(), isAnswered);
  const isMore = data?.organization?.members.pageInfo.hasNextPage ?? false;
  const offer = { rows, error, again, isAnswered, isMore, show: a.picker.show, none: a.picker.none };
  return <Picker {...picked} offer={offer} onWords={setWords} placeholder={a.picker.placeholder} />;
}

export function TeamPicker({ organization, ...picked }: Picked) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const rested = useRested(words.trim());
  const { data, error, fetching, again } = useRead(TEAMS, { organization, title: rested || null });
  const isAnswered = rested === words.trim() && !fetching;
  const all = (data?.organization?.teams.nodes ?? []).map(({ id, title }) => ({ id, title }));
  const rows = fitting(all, words.trim(), isAnswered);
  const isMore = data?.organization?.teams.pageInfo.hasNextPage ?? false;
  const offer = { rows, error, again, isAnswered, isMore, show: a.picker.showTeams, none: a.picker.noTeams };
  return <Picker {...picked} offer={offer} onWords={setWords} placeholder={a.title} />;
}
