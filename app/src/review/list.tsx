/** Change requests of a space, by status; and making one. */

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { ChangeRequestStatus } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { toChange, toChanges, toSpace } from '../place.ts';
import { mayPropose, type SpaceFrame } from '../space/routes.tsx';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { useTitle } from '../ui/title.ts';
import { Button, Dialog, Empty, ui } from '../ui/ui.tsx';
import { ChangeRequestRows, Head, views } from '../views/parts.tsx';
import { useDraft } from './drafts.ts';
import css from './review.module.css';

const LIST = graphql(`
  query ChangeRequests($space: ID!, $status: [ChangeRequestStatus!], $first: Int!) {
    space(id: $space) {
      id
      changeRequests(first: $first, status: $status, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...ChangeRequestRow }
        pageInfo { hasNextPage }
      }
    }
  }
`);

const CREATE = graphql(`
  mutation CreateChangeRequest($space: ID!, $input: CreateChangeRequestInput!) {
    createChangeRequest(spaceId: $space, input: $input) { id number }
  }
`);

const STATES = ['open', 'draft', 'merged', 'archived', 'all'] as const;
type State = (typeof STATES)[number];

const statusOf = (state: State): ChangeRequestStatus[] | null =>
  state === 'all' ? null : [state.toUpperCase() as ChangeRequestStatus];

function CreateDialog({ space, isOpen, onClose }: { space: string; isOpen: boolean; onClose: () => void }) {
  const t = useTexts();
  const [, navigate] = useLocation();
  const [subject, setSubject, forget] = useDraft(`new change ${space}`);
  const [{ fetching, error }, create] = useMutation(CREATE);
  const send = async (): Promise<void> => {
    const result = await create({ space, input: { subject } });
    const made = result.data?.createChangeRequest;
    if (result.error || !made) return;
    forget(subject);
    refreshVisible();
    onClose();
    navigate(toChange(space, made.number));
  };
  return (
    <Dialog title={t.newChangeRequest} isOpen={isOpen} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label className={ui.field}>
          <span className={ui.label}>{t.subject}</span>
          <input className={ui.input} value={subject} autoFocus dir="auto" onChange={(event) => setSubject(event.target.value)} />
          <span className={ui.hint}>{t.subjectHint}</span>
        </label>
        <FailureNotice error={error} />
        <div className={ui.actions}>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={fetching}>{t.create}</Button>
        </div>
      </form>
    </Dialog>
  );
}

export function ChangesList({ space }: { space: SpaceFrame }) {
  const t = useTexts();
  const [parameters] = useSearchParams();
  const state = STATES.find((one) => one === parameters.get('status')) ?? 'open';
  const [first, more] = useMore();
  const [creating, setCreating] = useState(false);
  const result = useRead(LIST, { space: space.id, first, status: statusOf(state) });
  useTitle(`${t.changeRequests} | ${space.title}`);
  return (
    <>
      <Head title={t.changeRequests} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={t.changeRequestsAbout} />
      <div className={views.toolbar}>
        <nav className={css.filters} aria-label={t.status}>
          {STATES.map((one) => (
            <Link key={one} href={one === 'open' ? toChanges(space.id) : `${toChanges(space.id)}?status=${one}`} aria-current={one === state ? 'page' : undefined}>
              {t.states[one]}
            </Link>
          ))}
        </nav>
        {mayPropose(space) ? (
          <Button look="primary" onPress={() => setCreating(true)}><Plus size={16} aria-hidden />{t.newChangeRequest}</Button>
        ) : null}
      </div>
      <Reading result={result} pick={(data) => data.space?.changeRequests}>
        {(list) => (
          <div className={views.section}>
            {list.nodes.length > 0 ? <ChangeRequestRows rows={list.nodes} withSpace={false} /> : <Empty>{t.noChangeRequests[state]}</Empty>}
            {list.pageInfo.hasNextPage && more ? <div><Button onPress={more}>{t.showMore}</Button></div> : null}
          </div>
        )}
      </Reading>
      <CreateDialog space={space.id} isOpen={creating} onClose={() => setCreating(false)} />
    </>
  );
}
