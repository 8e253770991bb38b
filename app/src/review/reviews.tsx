/** Reviews: who was asked, what they said, asking somebody, and saying it oneself. */

import { Check, CircleDashed, CircleX, Clock } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useMutation } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Badge, Button, Dialog, Face, ui } from '../ui/ui.tsx';
import type { ChangeRequest } from './change.tsx';
import { useDraft } from './drafts.ts';
import css from './review.module.css';

export const REVIEW_ROW = graphql(`
  fragment ReviewRow on Review {
    id
    status
    outdated
    createdAt
    reviewer { id displayName }
  }
`);

const SUBMIT = graphql(`
  mutation SubmitReview($space: ID!, $change: ID!, $input: SubmitReviewInput!) {
    submitReview(spaceId: $space, changeRequestId: $change, input: $input) { ...ReviewRow }
  }
`);
const ASK = graphql(`
  mutation AskForReview($space: ID!, $change: ID!, $input: RequestReviewersInput!) {
    requestReviewers(spaceId: $space, changeRequestId: $change, input: $input) { changeRequest { id status } }
  }
`);
const WITHDRAW = graphql(`
  mutation WithdrawReviewRequest($space: ID!, $change: ID!, $user: ID!) {
    withdrawReviewRequest(spaceId: $space, changeRequestId: $change, userId: $user) { userId }
  }
`);
const PEOPLE = graphql(`
  query PeopleOfSpace($space: ID!) {
    space(id: $space) { id people(first: 500) { nodes { role user { id displayName } } } }
  }
`);

function AskForm({ space, change }: { space: string; change: ChangeRequest }) {
  const t = useTexts();
  const result = useRead(PEOPLE, { space });
  const [{ fetching, error }, ask] = useMutation(ASK);
  const [text, setText] = useState('');
  const there = new Set([change.createdBy.id, ...change.requestedReviewers.nodes.map((one) => one.user.id)]);
  const people = (result.data?.space?.people.nodes ?? []).filter((one) => !there.has(one.user.id) && one.role !== 'READ');
  const send = async (user: string): Promise<void> => {
    const answer = await ask({ space, change: change.id, input: { users: [user] } });
    if (answer.error) return;
    setText('');
    refreshVisible();
  };
  return (
    <>
      <ComboBox
        className={ui.field ?? ''}
        inputValue={text}
        onInputChange={setText}
        selectedKey={null}
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

function ReviewDialog({ space, change, isOpen, onClose }: { space: string; change: ChangeRequest; isOpen: boolean; onClose: () => void }) {
  const t = useTexts();
  const [text, setText, forget] = useDraft(`review ${change.id}`);
  const [{ fetching, error }, submit] = useMutation(SUBMIT);
  const send = async (status: 'APPROVED' | 'CHANGES_REQUESTED'): Promise<void> => {
    const comment = text.trim() ? { markdown: text } : null;
    const result = await submit({ space, change: change.id, input: { status, ...(comment ? { comment } : {}) } });
    if (result.error) return;
    forget();
    refreshVisible();
    onClose();
  };
  return (
    <Dialog title={t.giveReview} isOpen={isOpen} onClose={onClose}>
      <label className={ui.field}>
        <span className={ui.label}>{t.reviewComment}</span>
        <textarea className={ui.input} value={text} dir="auto" autoFocus onChange={(event) => setText(event.target.value)} />
        <span className={ui.hint}>{t.markdownHint}</span>
      </label>
      <FailureNotice error={error} />
      <div className={ui.actions}>
        <Button isDisabled={fetching} onPress={() => void send('CHANGES_REQUESTED')}>{t.requestChanges}</Button>
        <Button look="primary" isDisabled={fetching} onPress={() => void send('APPROVED')}>{t.approve}</Button>
      </div>
    </Dialog>
  );
}

export function Reviews({ space, change }: { space: string; change: ChangeRequest }) {
  const t = useTexts();
  const viewer = useViewer();
  const [reviewing, setReviewing] = useState(false);
  const [{ fetching, error }, withdraw] = useMutation(WITHDRAW);
  const isActive = change.status === 'OPEN' || change.status === 'DRAFT';
  const wasAsked = change.requestedReviewers.nodes.some((one) => one.user.id === viewer.id);
  const mayReview = isActive && (change.permissions.review || wasAsked) && change.createdBy.id !== viewer.id;
  const take = async (user: string): Promise<void> => {
    const result = await withdraw({ space, change: change.id, user });
    if (!result.error) refreshVisible();
  };
  return (
    <section>
      <h2>{t.reviews}</h2>
      {change.reviews.nodes.length + change.requestedReviewers.nodes.length === 0 ? <p className={css.about}>{t.noReviews}</p> : null}
      <ul className={css.people}>
        {change.reviews.nodes.map((review) => (
          <li key={review.id}>
            <Face name={review.reviewer.displayName} /><bdi>{review.reviewer.displayName}</bdi>
            {review.status === 'APPROVED'
              ? <Badge tone={review.outdated ? 'neutral' : 'good'}><Check size={13} aria-hidden />{t.approved}</Badge>
              : <Badge tone={review.outdated ? 'neutral' : 'bad'}><CircleX size={13} aria-hidden />{t.changesRequested}</Badge>}
            {review.outdated ? <Badge><CircleDashed size={13} aria-hidden />{t.outdatedReview}</Badge> : null}
            <span className={css.about}><Ago at={review.createdAt} /></span>
          </li>
        ))}
        {change.requestedReviewers.nodes.map((one) => (
          <li key={one.user.id}>
            <Face name={one.user.displayName} /><bdi>{one.user.displayName}</bdi>
            <Badge tone="warn"><Clock size={13} aria-hidden />{t.wasAsked}</Badge>
            {change.permissions.requestReviewers && isActive ? (
              <Button look="plain" isDisabled={fetching} aria-label={t.withdrawFrom(one.user.displayName)} onPress={() => void take(one.user.id)}>{t.withdraw}</Button>
            ) : null}
          </li>
        ))}
      </ul>
      <FailureNotice error={error} />
      <div style={{ display: 'grid', gap: '0.7rem', marginBlockStart: '0.8rem' }}>
        {mayReview ? <div><Button look="primary" onPress={() => setReviewing(true)}>{t.giveReview}</Button></div> : null}
        {change.permissions.requestReviewers && isActive ? <AskForm space={space} change={change} /> : null}
      </div>
      <ReviewDialog space={space} change={change} isOpen={reviewing} onClose={() => setReviewing(false)} />
    </section>
  );
}
