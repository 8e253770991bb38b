/** Choosing a person or a team of an organization by name. */

import { useRef, useState } from 'react';
import { Button as AriaButton, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import type { CombinedError } from 'urql';
import { graphql } from '../../graph/generated/index.ts';
import { useRead } from '../../graph/reading.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { emptyOf, FailureNotice } from '../../ui/failure.tsx';
import { ui } from '../../ui/ui.tsx';
import { TypeMore } from '../choosing.tsx';
import { admin, fitting, useRested } from '../kit.tsx';

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

interface Row {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly about: string | null;
}

interface Picked {
  organization: string; label: string; onPick: (id: string, name: string) => void; isDisabled?: boolean;
}

/** It is empty again after each choice. */
function Picker({ label, rows, onWords, onPick, isDisabled = false, error, again, isAnswered, placeholder, show, none, isMore }: Omit<Picked, 'organization'> & {
  rows: readonly Row[]; onWords: (words: string) => void; error: CombinedError | undefined; again: () => void; isAnswered: boolean; placeholder: string;
  show: string; none: string; isMore: boolean;
}) {
  const t = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const [round, setRound] = useState(0);
  return (
    <>
      <ComboBox
        key={round}
        className={`${ui.field} ${admin.picker}`}
        isDisabled={isDisabled}
        menuTrigger="focus"
        defaultFilter={() => true}
        items={rows}
        onInputChange={onWords}
        onSelectionChange={(key) => {
          const row = rows.find((row) => row.id === key);
          if (row === undefined) return;
          setRound(round + 1);
          onWords('');
          onPick(row.id, row.name);
        }}
        allowsEmptyCollection
      >
        <Label className={ui.label ?? ''}>{label}</Label>
        <div style={{ display: 'flex', gap: '0.3rem' }}>
          <Input ref={field} className={ui.input ?? ''} placeholder={placeholder} />
          <AriaButton className={`${ui.button} ${ui.icon}`} aria-label={show}>▾</AriaButton>
        </div>
        <Popover className={ui.popover ?? ''}>
          <ListBox className={ui.menu ?? ''} renderEmptyState={() => <p className={ui.menuHeader}>{emptyOf(t, error, isAnswered, none)}</p>}>
            {(row: Row) => (
              <ListBoxItem id={row.id} textValue={row.name} className={ui.menuItem ?? ''}>
                <bdi>{row.name}</bdi>{row.about ? <bdi className={ui.hint}>{row.about}</bdi> : null}
              </ListBoxItem>
            )}
          </ListBox>
          <TypeMore isMore={isMore} />
        </Popover>
      </ComboBox>
      <FailureNotice error={error} again={again} back={field} />
    </>
  );
}

export function PersonPicker({ organization, ...picked }: Picked) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const rested = useRested(words.trim());
  const { data, error, fetching, again } = useRead(PEOPLE, { organization, search: rested || null });
  const isAnswered = rested === words.trim() && !fetching;
  const all = (data?.organization?.members.nodes ?? []).map(({ user }) => ({ id: user.id, name: user.displayName, about: user.email }));
  const rows = fitting(all, words.trim(), isAnswered);
  const isMore = data?.organization?.members.pageInfo.hasNextPage ?? false;
  return <Picker {...picked} {...{ rows, error, again, isAnswered, isMore }} onWords={setWords} placeholder={a.picker.placeholder} show={a.picker.show} none={a.picker.none} />;
}

export function TeamPicker({ organization, ...picked }: Picked) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const rested = useRested(words.trim());
  const { data, error, fetching, again } = useRead(TEAMS, { organization, title: rested || null });
  const isAnswered = rested === words.trim() && !fetching;
  const all = (data?.organization?.teams.nodes ?? []).map(({ id, title }) => ({ id, name: title, about: null }));
  const rows = fitting(all, words.trim(), isAnswered);
  const isMore = data?.organization?.teams.pageInfo.hasNextPage ?? false;
  return <Picker {...picked} {...{ rows, error, again, isAnswered, isMore }} onWords={setWords} placeholder={a.title} show={a.picker.showTeams} none={a.picker.noTeams} />;
}
