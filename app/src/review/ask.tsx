/** Asking somebody for a review, by name. */

import { useState } from 'react';
import { Button as AriaButton, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useMutation } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { ui } from '../ui/ui.tsx';
import type { ChangeRequest } from './change.tsx';

const ASK = graphql(`
  mutation AskForReview($space: ID!, $change: ID!, $input: RequestReviewersInput!) {
    requestReviewers(spaceId: $space, changeRequestId: $change, input: $input) { changeRequest { id status } }
  }
`);
const PEOPLE = graphql(`
  query PeopleOfSpace($space: ID!) {
    space(id: $space) { id people(first: 500) { nodes { role user { id displayName } } } }
  }
`);

export default function AskForm({ space, change }: { space: string; change: ChangeRequest }) {
  const t = useTexts();
  const result = useRead(PEOPLE, { space });
  const [{ fetching, error }, ask] = useMutation(ASK);
  // A new box after each person: the one before is closed and empty.
  const [round, setRound] = useState(0);
  const there = new Set([change.createdBy.id, ...change.requestedReviewers.nodes.map((one) => one.user.id)]);
  const people = (result.data?.space?.people.nodes ?? []).filter((one) => !there.has(one.user.id) && one.role !== 'READ');
  const send = async (user: string): Promise<void> => {
    const answer = await ask({ space, change: change.id, input: { users: [user] } });
    if (answer.error) return;
    setRound(round + 1);
    refreshVisible();
  };
  return (
    <>
      <ComboBox
        className={ui.field ?? ''}
        key={round}
        onSelectionChange={(key) => key !== null && void send(String(key))}
        isDisabled={fetching}
        menuTrigger="focus"
      >
        <Label className={ui.label ?? ''}>{t.askForReview}</Label>
        <div style={{ display: 'flex', gap: '0.3rem' }}>
          <Input className={ui.input ?? ''} placeholder={t.namePlaceholder} />
          <AriaButton className={`${ui.button} ${ui.icon}`} aria-label={t.showPeople}>▾</AriaButton>
        </div>
        <Popover className={ui.popover ?? ''}>
          <ListBox className={ui.menu ?? ''} items={people.map(({ user }) => ({ ...user }))} renderEmptyState={() => <p className={ui.menuHeader}>{t.nobodyFound}</p>}>
            {(user) => <ListBoxItem id={user.id} textValue={user.displayName} className={ui.menuItem ?? ''}>{user.displayName}</ListBoxItem>}
          </ListBox>
        </Popover>
      </ComboBox>
      <FailureNotice error={error ?? result.error} />
    </>
  );
}
