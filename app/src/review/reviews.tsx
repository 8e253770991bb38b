/** Reviews: who was asked, what they said, asking somebody, and saying it oneself. */

import { Check, CircleDashed, CircleX, Clock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { List } from '../graph/more.ts';
import { useMutation } from '../graph/write.ts';
import { written } from '../live/done.ts';
import { useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { useComingBack } from '../ui/form-dialog.tsx';
import { part } from '../ui/part.ts';
import { Badge, Button, Dialog, Face, More, ui } from '../ui/ui.tsx';
import type { ChangeRequest } from './change.tsx';
import { useDraft } from './drafts.ts';
import { MentionArea } from './mention-area.tsx';
import { linked, peopleOf } from './mentions.ts';
import css from './review.module.css';

const AskForm = part(() => import('./ask.tsx'));

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
const WITHDRAW = graphql(`
  mutation WithdrawReviewRequest($space: ID!, $change: ID!, $user: ID!) {
    withdrawReviewRequest(spaceId: $space, changeRequestId: $change, userId: $user) { userId }
  }
`);
function ReviewDialog({ space, change, isOpen, onClose }: { space: string; change: ChangeRequest; isOpen: boolean; onClose: () => void }) {
  const t = useTexts();
  const [text, setText, forget, draft] = useDraft(`review ${change.id}`);
  const [{ fetching, error }, submit] = useMutation(SUBMIT);
  const { isShown, error: own, sent, close } = useComingBack(isOpen, { busy: fetching, error }, onClose);
  const send = async (status: 'APPROVED' | 'CHANGES_REQUESTED'): Promise<void> => {
    if (fetching) return;
    sent();
    const comment = text.trim() ? { markdown: linked(text, peopleOf(draft)) } : null;
    const result = await submit({ space, change: change.id, input: { status, ...(comment ? { comment } : {}) } });
    if (result.error) return;
    forget(text);
    written();
    onClose();
  };
  return (
    <Dialog title={t.giveReview} isOpen={isShown} onClose={close}>
      <MentionArea space={space} draft={draft} label={t.reviewComment} text={text} onText={setText} autoFocus hint={t.reviewHint} onSend={() => void send('APPROVED')} />
      <FailureNotice error={own} />
      <div className={ui.actions}>
        <Button aria-disabled={fetching} onPress={() => void send('CHANGES_REQUESTED')}>{t.requestChanges}</Button>
        <Button look="primary" aria-disabled={fetching} onPress={() => void send('APPROVED')}>{t.approve}</Button>
      </div>
    </Dialog>
  );
}

export function Reviews({ space, change, given, waiting }: { space: string; change: ChangeRequest; given: List; waiting: List }) {
  const t = useTexts();
  const viewer = useViewer();
  const [reviewing, setReviewing] = useState(false);
  const [{ fetching, error }, withdraw] = useMutation(WITHDRAW);
  const isActive = change.status === 'OPEN' || change.status === 'DRAFT';
  const wasAsked = change.requestedReviewers.nodes.some((requestedReviewer) => requestedReviewer.user.id === viewer.id);
  const mayReview = isActive && (change.permissions.review || wasAsked) && change.createdBy.id !== viewer.id;
  const take = async (user: string): Promise<void> => {
    const result = await withdraw({ space, change: change.id, user });
    if (!result.error) written();
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
        {change.requestedReviewers.nodes.map((requestedReviewer) => (
          <li key={requestedReviewer.user.id}>
            <Face name={requestedReviewer.user.displayName} /><bdi>{requestedReviewer.user.displayName}</bdi>
            <Badge tone="warn"><Clock size={13} aria-hidden />{t.wasAsked}</Badge>
            {change.permissions.requestReviewers && isActive ? (
              <Button look="plain" isDisabled={fetching} aria-label={t.withdrawFrom(requestedReviewer.user.displayName)} onPress={() => void take(requestedReviewer.user.id)}>{t.withdraw}</Button>
            ) : null}
          </li>
        ))}
      </ul>
      <More list={given} info={change.reviews.pageInfo} what={t.reviews} />
      <More list={waiting} info={change.requestedReviewers.pageInfo} what={t.wasAsked} />
      <FailureNotice error={error} />
      <div style={{ display: 'grid', gap: '0.7rem', marginBlockStart: '0.8rem' }}>
        {mayReview ? <div><Button look="primary" onPress={() => setReviewing(true)}>{t.giveReview}</Button></div> : null}
        {change.permissions.requestReviewers && isActive ? <Suspense fallback={null}><AskForm space={space} change={change} /></Suspense> : null}
      </div>
      <ReviewDialog space={space} change={change} isOpen={reviewing} onClose={() => setReviewing(false)} />
    </section>
  );
}
