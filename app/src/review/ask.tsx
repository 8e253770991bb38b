/** Asking somebody for a review, by name. */

import { useState } from 'react';
import { Offering } from '../admin/choosing.tsx';
import { fitting, useRested } from '../admin/kit.tsx';
import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { useMutation } from '../graph/write.ts';
import { written } from '../live/done.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
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
  const isAnswered = rested === words.trim() && !isReading;
  const there = new Set([change.createdBy.id, ...change.requestedReviewers.nodes.map((requestedReviewer) => requestedReviewer.user.id)]);
  const everybody = (all?.nodes ?? []).map(({ user }) => user);
  const mayReview = (all?.nodes ?? []).filter(({ user, role }) => role !== 'READ' && !there.has(user.id))
    .map(({ user }) => ({ id: user.id, title: user.displayName, about: aside(user, everybody) }));
  const people = fitting(mayReview, words.trim(), isAnswered);
  const send = async (user: string): Promise<void> => {
    const answer = await ask({ space, change: change.id, input: { users: [user] } });
    if (answer.error) return;
    setRound(round + 1);
    setWords('');
    written();
  };
  const offer = { rows: people, isMore: all?.pageInfo.hasNextPage ?? false, isAnswered, error: unread, again, show: t.showPeople, none: t.nobodyFound };
  return (
    <Offering
      key={round}
      label={t.askForReview}
      offer={offer}
      placeholder={t.namePlaceholder}
      isDisabled={fetching}
      onInputChange={setWords}
      onFocus={() => setAsked(true)}
      onOpenChange={(isOpen) => isOpen && setAsked(true)}
      onChoose={({ id }) => void send(id)}
    >
      <FailureNotice error={error} />
    </Offering>
  );
}
