/** Asking somebody for a review, by name. */

import { useRef, useState } from 'react';
import { Button as AriaButton, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useMutation } from 'urql';
import { TypeMore } from '../admin/choosing.tsx';
import { fitting, useRested } from '../admin/kit.tsx';
import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { written } from '../live/done.ts';
import { useTexts } from '../texts/texts.tsx';
import { emptyOf, FailureNotice } from '../ui/failure.tsx';
import { ui } from '../ui/ui.tsx';
import type { ChangeRequest } from './change.tsx';
import { aside } from './mentions.ts';

const PEOPLE = graphql(`
  query PeopleToAsk($space: ID!, $search: String) {
    space(id: $space) { id people(first: 50, search: $search) { nodes { role user { id displayName email } } pageInfo { hasNextPage } } }
  }
`);
const ASK = graphql(`
  mutation AskForReview($space: ID!, $change: ID!, $input: RequestReviewersInput!) {
    requestReviewers(spaceId: $space, changeRequestId: $change, input: $input) { changeRequest { id status } }
  }
`);
export default function AskForm({ space, change }: { space: string; change: ChangeRequest }) {
  const t = useTexts();
  const [isAsked, setAsked] = useState(false);
  const [words, setWords] = useState('');
  const rested = useRested(words.trim());
  const { data, error: unread, fetching: isReading, again } = useRead(PEOPLE, { space, search: rested || null }, !isAsked);
  const all = data?.space?.people;
  const [{ fetching, error }, ask] = useMutation(ASK);
  // A new box after each person: the one before is closed and empty.
  const [round, setRound] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const isAnswered = rested === words.trim() && !isReading;
  const there = new Set([change.createdBy.id, ...change.requestedReviewers.nodes.map((requestedReviewer) => requestedReviewer.user.id)]);
  const everybody = (all?.nodes ?? []).map(({ user }) => user);
  const mayReview = (all?.nodes ?? []).filter(({ user, role }) => role !== 'READ' && !there.has(user.id))
    .map(({ user }) => ({ id: user.id, name: user.displayName, about: aside(user, everybody) }));
  const people = fitting(mayReview, words.trim(), isAnswered);
  const send = async (user: string): Promise<void> => {
    const answer = await ask({ space, change: change.id, input: { users: [user] } });
    if (answer.error) return;
    setRound(round + 1);
    setWords('');
    written();
  };
  return (
    <>
      <ComboBox
        className={ui.field ?? ''}
        key={round}
        onSelectionChange={(key) => key !== null && void send(String(key))}
        isDisabled={fetching}
        menuTrigger="focus"
        defaultFilter={() => true}
        items={people}
        onInputChange={setWords}
        onFocus={() => setAsked(true)}
        onOpenChange={(isOpen) => isOpen && setAsked(true)}
        allowsEmptyCollection
      >
        <Label className={ui.label ?? ''}>{t.askForReview}</Label>
        <div style={{ display: 'flex', gap: '0.3rem' }}>
          <Input ref={field} className={ui.input ?? ''} placeholder={t.namePlaceholder} />
          <AriaButton className={`${ui.button} ${ui.icon}`} aria-label={t.showPeople}>▾</AriaButton>
        </div>
        <Popover className={ui.popover ?? ''}>
          <ListBox className={ui.menu ?? ''} renderEmptyState={() => <p className={ui.menuHeader}>{emptyOf(t, unread, isAnswered, t.nobodyFound)}</p>}>
            {({ id, name, about }: { id: string; name: string; about: string | null }) => (
              <ListBoxItem id={id} textValue={about === null ? name : `${name} (${about})`} className={ui.menuItem ?? ''}>
                <bdi>{name}</bdi>{about === null ? null : <> <small className={ui.hint}><bdi>{about}</bdi></small></>}
              </ListBoxItem>
            )}
          </ListBox>
          <TypeMore isMore={all?.pageInfo.hasNextPage ?? false} />
        </Popover>
      </ComboBox>
      <FailureNotice error={error} />
      <FailureNotice error={unread} again={again} back={field} />
    </>
  );
}
