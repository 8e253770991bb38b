/** Change requests of a space, by status; and making one. */

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { ChangeRequestStatus } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useMutation } from '../graph/write.ts';
import { written } from '../live/done.ts';
import { toChange, toChanges, toSpace } from '../place.ts';
import { mayPropose, type SpaceFrame } from '../space/routes.tsx';
import { useTexts } from '../texts/texts.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useTitle } from '../ui/title.ts';
import { Button, Empty, More, ui } from '../ui/ui.tsx';
import { ChangeRequestRows, Head, views } from '../views/parts.tsx';
import { useDraft } from './drafts.ts';
import css from './review.module.css';

const LIST = graphql(`
  query ChangeRequests($space: ID!, $status: [ChangeRequestStatus!], $first: Int!, $after: String) {
    space(id: $space) {
      id
      changeRequests(first: $first, after: $after, status: $status, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { ...ChangeRequestRow }
        pageInfo { hasNextPage endCursor }
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
    const created = result.data?.createChangeRequest;
    if (result.error || !created) return;
    forget(subject);
    written();
    onClose();
    navigate(toChange(space, created.number));
  };
  return (
    <FormDialog title={t.newChangeRequest} action={t.create} isOpen={isOpen} onClose={onClose} onSend={send} busy={fetching} error={error}>
      <label className={ui.field}>
        <span className={ui.label}>{t.subject}</span>
        <input className={ui.input} value={subject} autoFocus dir="auto" onChange={(event) => setSubject(event.target.value)} />
        <span className={ui.hint}>{t.subjectHint}</span>
      </label>
    </FormDialog>
  );
}

export function ChangesList({ space }: { space: SpaceFrame }) {
  const t = useTexts();
  const [parameters] = useSearchParams();
  const state = STATES.find((option) => option === parameters.get('status')) ?? 'open';
  const shown = useMore(undefined, undefined, state);
  const [creating, setCreating] = useState(false);
  const result = useRead(LIST, { space: space.id, first: shown.first, after: shown.after, status: statusOf(state) });
  // What waits for somebody: so nobody overlooks drafts behind the list that comes first.
  const counts: Partial<Record<State, number>> = { open: space.changeRequestsOpen, draft: space.changeRequestsDraft };
  useTitle(`${t.changeRequests} | ${space.title}`);
  return (
    <>
      <Head title={t.changeRequests} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={t.changeRequestsAbout} />
      <div className={views.toolbar}>
        <nav className={css.filters} aria-label={t.status}>
          {STATES.map((option) => (
            <Link key={option} href={option === 'open' ? toChanges(space.id) : `${toChanges(space.id)}?status=${option}`} aria-current={option === state ? 'page' : undefined}>
              {t.states[option]}
              {counts[option] ? <span className={css.count}>{counts[option]}</span> : null}
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
            <More list={shown} info={list.pageInfo} />
          </div>
        )}
      </Reading>
      <CreateDialog space={space.id} isOpen={creating} onClose={() => setCreating(false)} />
    </>
  );
}
