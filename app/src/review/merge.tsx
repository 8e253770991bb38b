/** Bringing up to date, merging with its checks, archiving. */

import { Check, CircleHelp, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { ChangeRequestStatus } from '../graph/generated/graphql.ts';
import { Unread, useRead } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { useMutation } from '../graph/write.ts';
import { written } from '../live/done.ts';
import { toChange } from '../place.ts';
import { useViewer } from '../shell/viewer.tsx';
import type { SpaceFrame } from '../space/routes.tsx';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Button, Notice, ui } from '../ui/ui.tsx';
import type { ChangeRequest } from './change.tsx';
import { checkOf, type CheckState, mayBypass, type Rule } from './checks.ts';
import css from './review.module.css';

const RULES = graphql(`
  query MergeRules($space: ID!) {
    space(id: $space) {
      id
      typedMergeRules { type rules { rule userIds users { id displayName } expression } }
      organization { id typedMergeRules { type rules { rule userIds users { id displayName } expression } } }
    }
  }
`);
const PULL = graphql(`
  mutation UpdateFromSpace($space: ID!, $id: ID!, $revision: ID) {
    pullChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id outdated } }
  }
`);
const MERGE = graphql(`
  mutation MergeChangeRequest($space: ID!, $id: ID!, $revision: ID) {
    mergeChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id status outdated } }
  }
`);
const SET_STATUS = graphql(`
  mutation SetStatusOfChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id status }
  }
`);

const ICONS = { met: Check, unmet: X, unknown: CircleHelp } as const;
const COLORS: Record<CheckState, string> = { met: 'var(--good)', unmet: 'var(--bad)', unknown: 'var(--ink-soft)' };

interface NamedRule extends Rule {
  readonly users: ReadonlyArray<{ readonly displayName: string }>;
}

function useChecks(space: string, change: ChangeRequest) {
  const viewer = useViewer();
  const result = useRead(RULES, { space });
  const own = result.data?.space?.typedMergeRules;
  const rules: readonly NamedRule[] = (own?.type === 'inherit' ? result.data?.space?.organization.typedMergeRules : own)?.rules ?? [];
  const facts = {
    outdated: change.outdated,
    subject: change.subject,
    hasDescription: ((change.description?.['nodes'] as unknown[] | undefined)?.length ?? 0) > 0,
    waiting: change.requestedReviewers.nodes.length,
    reviews: change.reviews.nodes,
    viewer: viewer.id,
    isPartial: [change.reviews, change.requestedReviewers].some(({ pageInfo }) => pageInfo.hasNextPage || pageInfo.hasPreviousPage),
  };
  const checks = rules.filter((rule) => rule.rule !== 'allow_bypass').map((rule) => ({ rule, state: checkOf(rule, facts) }));
  return { checks, bypass: mayBypass(rules, viewer.id), result };
}

export function MergePanel({ space, change, conflicts }: { space: SpaceFrame; change: ChangeRequest; conflicts: number }) {
  const t = useTexts();
  const { checks, bypass, result } = useChecks(space.id, change);
  const [pulling, pull] = useMutation(PULL);
  const [merging, merge] = useMutation(MERGE);
  const [setting, setStatus] = useMutation(SET_STATUS);
  // What the dialog is about: what has come since it was opened is not merged unseen.
  const [seen, setSeen] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const of = { space: space.id, id: change.id };
  const isActive = change.status === 'OPEN' || change.status === 'DRAFT';
  const revision = change.revision?.id ?? null;

  const update = async (): Promise<void> => {
    setSaid(null);
    const { data, error } = await pull({ ...of, revision });
    if (error) return;
    // The view says what came of it.
    setSaid(data?.pullChangeRequest?.result === 'CONFLICTS' ? t.hasConflicts : t.isUpToDate);
    refreshVisible();
  };
  const ask = (): void => {
    setSeen(revision);
    setAsking(true);
  };
  const finish = async (): Promise<void> => {
    const { data, error } = await merge({ ...of, revision: seen });
    if (error) return;
    setAsking(false);
    const isHeld = data?.mergeChangeRequest?.result === 'CONFLICTS';
    setSaid(isHeld ? t.hasConflicts : null);
    if (isHeld) refreshVisible();
    else written();
  };
  const become = async (status: ChangeRequestStatus): Promise<void> => {
    const { error } = await setStatus({ ...of, input: { status } });
    if (!error) written();
  };

  if (change.status === 'MERGED') return <Notice tone="good"><strong>{t.isMerged}</strong></Notice>;
  return (
    <section className={css.merge} aria-label={t.merge}>
      {change.status === 'ARCHIVED' ? <p>{t.isArchived}</p> : null}
      {isActive ? <Unread {...result} /> : null}
      {isActive ? (
        <ul className={css.checks} aria-label={t.checks}>
          {checks.map(({ rule, state }, index) => {
            const Icon = ICONS[state];
            const names = rule.users.map((user) => user.displayName).join(', ');
            return (
              <li key={index}>
                <Icon size={16} color={COLORS[state]} role="img" aria-label={t.checkStates[state]} />
                <span>
                  {t.rules[rule.rule] ?? rule.rule}{names ? <>: <bdi>{names}</bdi></> : null}
                  {rule.expression ? <> <code>{rule.expression}</code></> : null}
                </span>
              </li>
            );
          })}
          <li>
            {conflicts === 0 ? <Check size={16} color={COLORS.met} role="img" aria-label={t.checkStates.met} /> : <X size={16} color={COLORS.unmet} role="img" aria-label={t.checkStates.unmet} />}
            <span>{conflicts === 0 ? t.noOpenConflicts : <Link href={`${toChange(space.id, change.number)}?tab=conflicts`}>{t.resolveConflicts(conflicts)}</Link>}</span>
          </li>
        </ul>
      ) : null}
      {bypass && isActive ? <p className={ui.hint}>{t.mayBypass}</p> : null}
      {change.outdated && isActive ? <Notice tone="warn">{t.outdatedAbout}</Notice> : null}
      {said ? <Notice tone={said === t.hasConflicts ? 'warn' : 'good'} role="status">{said}</Notice> : null}
      <FailureNotice error={pulling.error ?? setting.error} />
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: '0.5rem' }}>
        {isActive && change.permissions.merge && conflicts === 0 ? <Button look="primary" onPress={ask}>{t.merge}</Button> : null}
        {isActive && change.outdated && change.permissions.edit ? <Button isDisabled={pulling.fetching} onPress={() => void update()}>{t.bringUpToDate}</Button> : null}
        {change.status === 'DRAFT' && change.permissions.edit ? <Button isDisabled={setting.fetching} onPress={() => void become('OPEN')}>{t.openForReview}</Button> : null}
        {change.status === 'OPEN' && change.permissions.edit ? <Button look="plain" isDisabled={setting.fetching} onPress={() => void become('DRAFT')}>{t.backToDraft}</Button> : null}
        {isActive && change.permissions.archive ? <Button look="plain" isDisabled={setting.fetching} onPress={() => void become('ARCHIVED')}>{t.archive}</Button> : null}
        {change.status === 'ARCHIVED' && change.permissions.archive ? <Button isDisabled={setting.fetching} onPress={() => void become('DRAFT')}>{t.reopen}</Button> : null}
      </div>
      <FormDialog
        title={t.mergeTitle(change.number)} action={t.merge} isOpen={isAsking} onClose={() => setAsking(false)} onSend={finish}
        busy={merging.fetching} error={merging.error}
      >
        <p>{t.mergeAbout(space.title)}</p>
      </FormDialog>
    </section>
  );
}
