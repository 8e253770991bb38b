/** Choosing a person of an organization by name or address. */

import { useState } from 'react';
import { Button as AriaButton, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { graphql } from '../../graph/generated/index.ts';
import { useRead } from '../../graph/reading.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FailureNotice } from '../../ui/failure.tsx';
import { ui } from '../../ui/ui.tsx';
import { useRested } from '../kit.tsx';

const PEOPLE = graphql(`
  query PeopleOfOrganization($organization: ID!, $search: String) {
    organization(id: $organization) {
      id
      members(first: 30, search: $search) { nodes { id userId user { id displayName email } } }
    }
  }
`);

/** It is empty again after each choice. */
export function PersonPicker({ organization, label, onPick, isDisabled = false }: {
  organization: string; label: string; onPick: (user: string, name: string) => void; isDisabled?: boolean;
}) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const [round, setRound] = useState(0);
  const search = useRested(words.trim());
  const result = useRead(PEOPLE, { organization, search: search || null });
  const people = (result.data?.organization?.members.nodes ?? []).map(({ user }) => ({ ...user }));
  return (
    <>
      <ComboBox
        key={round}
        className={ui.field ?? ''}
        isDisabled={isDisabled}
        menuTrigger="focus"
        defaultFilter={() => true}
        items={people}
        onInputChange={setWords}
        onSelectionChange={(key) => {
          const person = people.find((one) => one.id === key);
          if (person === undefined) return;
          setRound(round + 1);
          setWords('');
          onPick(person.id, person.displayName);
        }}
        allowsEmptyCollection
      >
        <Label className={ui.label ?? ''}>{label}</Label>
        <div style={{ display: 'flex', gap: '0.3rem' }}>
          <Input className={ui.input ?? ''} placeholder={a.picker.placeholder} />
          <AriaButton className={`${ui.button} ${ui.icon}`} aria-label={a.picker.show}>▾</AriaButton>
        </div>
        <Popover className={ui.popover ?? ''}>
          <ListBox className={ui.menu ?? ''} renderEmptyState={() => <p className={ui.menuHeader}>{a.picker.none}</p>}>
            {(person: (typeof people)[number]) => (
              <ListBoxItem id={person.id} textValue={person.displayName} className={ui.menuItem ?? ''}>
                <bdi>{person.displayName}</bdi>{person.email ? <bdi className={ui.hint}>{person.email}</bdi> : null}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      <FailureNotice error={result.error} />
    </>
  );
}
