/** A space and its Git repository: how they are connected, and what was synchronised. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { GitConfigurationDirection, GitOfSpaceQuery, GitOperationState, GitSettingsFragment } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Portions } from '../../graph/portions.tsx';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useJobNews } from '../../live/jobs.ts';
import { toSpace } from '../../place.ts';
import type { SpaceFrame } from '../../space/routes.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Ago } from '../../texts/times.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useTitle } from '../../ui/title.ts';
import { Badge, Button, Empty, More, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { Head, views } from '../../views/parts.tsx';
import { admin, Careful, Choice, Lines, Progress, Said, Secret, Text, Tick } from '../kit.tsx';

export const GIT_SETTINGS = graphql(`
  fragment GitSettings on GitConfiguration {
    url ref directory direction intervalMinutes enabled hasCredentials hookUrl nextAt
  }
`);
const GIT = graphql(`
  query GitOfSpace($space: ID!, $first: Int!, $after: String) {
    gitConfiguration(spaceId: $space) { ...GitSettings }
    space(id: $space) {
      id
      permissions { triggerGitSync }
      gitOperations(first: $first, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          operationId direction state ref dispatchedTasks completedTasks startedAt error nothingDone warnings
          job { id done total }
          conflicts(first: 5) { nodes { path reason } totalCount pageInfo { hasNextPage endCursor } }
        }
      }
    }
  }
`);
const CONFLICTS = graphql(`
  query ConflictsOfGit($space: ID!, $operation: ID!, $after: String) {
    gitOperation(spaceId: $space, operationId: $operation) { operationId conflicts(first: 50, after: $after) { nodes { path reason } pageInfo { hasNextPage endCursor } } }
  }
`);
const SET = graphql(`
  mutation SetGit($space: ID!, $input: SetGitConfigurationInput!) {
    setGitConfiguration(spaceId: $space, input: $input) { secret configuration { ...GitSettings } }
  }
`);
const RUN = graphql(`
  mutation RunGit($space: ID!) { runGitConfiguration(spaceId: $space) { ...GitSettings } }
`);
const DISCONNECT = graphql(`
  mutation DisconnectGit($space: ID!) { deleteGitConfiguration(spaceId: $space) { space { id } } }
`);
/** Branches are called by their names here, and by their references in the graph. */
const HEADS = 'refs/heads/';
const branchOf = (ref: string): string => (ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref);
const refOf = (branch: string): string => (branch.startsWith('refs/') ? branch : HEADS + branch);
const TONES: Record<GitOperationState, Tone> = { RUNNING: 'accent', FAILURE: 'bad', SUCCESS: 'good' };

type Conflicts = NonNullable<GitOfSpaceQuery['space']>['gitOperations']['nodes'][number]['conflicts'];

/** Files that could not be brought together: the first, and the others when somebody asks for them. */
function Conflicting({ space, operation, first: { nodes, pageInfo } }: { space: string; operation: string; first: Conflicts }) {
  const t = useTexts();
  const rows = (conflicts: readonly Conflicts['nodes'][number][]) => conflicts.map(({ path, reason }) => <div key={path}><code>{path}</code>: <bdi>{reason}</bdi></div>);
  return (
    <>
      {rows(nodes)}
      {pageInfo.hasNextPage ? (
        <Portions
          query={CONFLICTS} variables={{ space, operation }} pick={(data) => data.gitOperation?.conflicts} behind={{ count: nodes.length, end: pageInfo.endCursor }} kind="div" label={t.showMore}
        >
          {rows}
        </Portions>
      ) : null}
    </>
  );
}

function SettingsDialog({ space, before, isOpen, onClose }: { space: string; before: GitSettingsFragment | null; isOpen: boolean; onClose: () => void }) {
  const a = useAdminTexts();
  const t = useTexts();
  // What is set is read anew once it is saved: it is the same dialog still.
  const [title] = useState(before ? a.git.change : a.git.save);
  const [url, setUrl] = useState(before?.url ?? '');
  const [ref, setRef] = useState(branchOf(before?.ref ?? 'main'));
  const [directory, setDirectory] = useState(before?.directory ?? '');
  const [direction, setDirection] = useState<GitConfigurationDirection>(before?.direction ?? 'IMPORT');
  const [minutes, setMinutes] = useState(before?.intervalMinutes ? String(before.intervalMinutes) : '');
  const [enabled, setEnabled] = useState(before?.enabled ?? true);
  const [secret, setSecret] = useState<string | null>(null);
  const { write, busy, error } = useWrite(SET);
  const close = (): void => {
    setSecret(null);
    onClose();
  };
  return (
    <FormDialog
      title={title} action={t.save} isOpen={isOpen} onClose={close} busy={busy} error={error} isDone={secret !== null} wide
      onSend={async () => {
        const input = {
          url: url.trim(), ref: refOf(ref.trim()), direction, repoProjectDirectory: directory.trim() || null,
          intervalMinutes: minutes.trim() ? Number(minutes) : null, enabled,
        };
        const done = (await write({ space, input }))?.setGitConfiguration;
        if (!done) return;
        if (done.secret) setSecret(done.secret);
        else close();
      }}
    >
      {secret ? <><Notice tone="warn" role="status">{a.git.secret}</Notice><Secret text={secret} what={a.git.secretName} /></> : (
        <>
          <Text label={a.git.url} hint={a.git.urlHint} value={url} onChange={setUrl} required autoFocus />
          <Text label={a.git.ref} value={ref} onChange={setRef} required />
          <Text label={a.git.directory} value={directory} onChange={setDirectory} />
          <Choice label={a.git.direction} value={direction} onChange={setDirection} options={Object.entries(a.git.directions) as Array<[GitConfigurationDirection, string]>} />
          <Text label={a.git.interval} hint={a.git.intervalHint} value={minutes} onChange={(text) => setMinutes(text.replace(/\D/gu, ''))} />
          <Tick label={a.git.enabled} checked={enabled} onChange={setEnabled} />
        </>
      )}
    </FormDialog>
  );
}

function Connection({ space, settings, mayChange }: { space: SpaceFrame; settings: GitSettingsFragment | null; mayChange: boolean }) {
  const a = useAdminTexts();
  const [isOpen, setOpen] = useState(false);
  // A form begins with what is set when it is opened, and keeps the secret that it shows whatever is read meanwhile.
  const [round, setRound] = useState(0);
  const [isStarted, setStarted] = useState(false);
  const run = async (): Promise<void> => {
    setStarted(false);
    setStarted((await running.write({ space: space.id })) !== null);
  };
  const running = useWrite(RUN, false);
  const leaving = useWrite(DISCONNECT);
  return (
    <section className={views.section}>
      {settings === null ? <Empty>{a.git.none}</Empty> : (
        <dl className={admin.facts}>
          <dt>{a.git.url}</dt><dd><bdi>{settings.url}</bdi></dd>
          <dt>{a.git.ref}</dt><dd><code>{branchOf(settings.ref)}</code>{settings.directory ? <> · {a.git.directory} <code>{settings.directory}</code></> : null}</dd>
          <dt>{a.git.direction}</dt><dd>{a.git.directions[settings.direction]}</dd>
          <dt>{a.git.enabled}</dt><dd>{settings.enabled ? <>✓ {settings.nextAt ? <>{a.git.next} <Ago at={settings.nextAt} /></> : null}</> : <Badge tone="warn">{a.git.paused}</Badge>}</dd>
          <dt>{a.git.hook}</dt><dd><Secret text={settings.hookUrl} what={a.git.hook} /></dd>
        </dl>
      )}
      {mayChange ? (
        <div className={admin.line}>
          {settings ? <Button look="primary" isDisabled={running.busy} onPress={() => void run()}>{a.git.run}</Button> : null}
          <Button
            look={settings ? 'normal' : 'primary'}
            onPress={() => {
              setRound(round + 1);
              setOpen(true);
            }}
          >
            {settings ? a.git.change : a.git.save}
          </Button>
          {settings ? (
            <Careful
              label={a.git.disconnect} title={a.git.disconnectTitle} about={a.git.disconnectAbout} action={a.git.disconnect}
              onDo={() => leaving.write({ space: space.id })} busy={leaving.busy} error={leaving.error}
            />
          ) : null}
        </div>
      ) : null}
      {isStarted ? <Said>{a.git.started}</Said> : null}
      <FailureNotice error={running.error} />
      <SettingsDialog key={round} space={space.id} before={settings} isOpen={isOpen} onClose={() => setOpen(false)} />
    </section>
  );
}

export default function GitView({ space }: { space: SpaceFrame }) {
  const a = useAdminTexts();
  const list = useMore(15, 300);
  const result = useRead(GIT, { space: space.id, first: list.first, after: list.after });
  const news = useJobNews(space.organization.id, space.id);
  useTitle(`${a.git.title} | ${space.title}`);
  return (
    <>
      <Head title={a.git.title} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={a.git.lead} />
      <Reading result={result} pick={(data) => data.space}>
        {({ permissions, gitOperations }) => (
          <>
            <Connection space={space} settings={result.data?.gitConfiguration ?? null} mayChange={permissions.triggerGitSync} />
            <section className={views.section}>
              <h2>{a.git.history}</h2>
              {gitOperations.nodes.length === 0 ? <Empty>{a.git.noHistory}</Empty> : (
                <ul className={ui.rows}>
                  {gitOperations.nodes.map((gitOperation) => {
                    const job = news.get(gitOperation.job.id) ?? gitOperation.job;
                    return (
                      <li key={gitOperation.operationId} className={admin.item}>
                        <div className={admin.line}>
                          <div className={admin.main}>
                            <span className={ui.rowTitle}>{gitOperation.direction === 'IMPORT' ? a.git.into : a.git.outOf}</span>
                            <span className={ui.hint}><code>{branchOf(gitOperation.ref)}</code> · <Ago at={gitOperation.startedAt} />{gitOperation.nothingDone ? <> · <bdi>{gitOperation.nothingDone}</bdi></> : null}</span>
                          </div>
                          <Badge tone={TONES[gitOperation.state]}>{a.git.states[gitOperation.state]}</Badge>
                        </div>
                        {gitOperation.state === 'RUNNING' ? <Progress done={job.done} total={job.total} label={a.git.title} /> : null}
                        {gitOperation.error ? <Notice tone="bad"><bdi>{gitOperation.error}</bdi></Notice> : null}
                        {gitOperation.conflicts.totalCount > 0 ? (
                          <Notice tone="warn">
                            <strong>{a.git.conflicts(gitOperation.conflicts.totalCount)}</strong>
                            <Conflicting space={space.id} operation={gitOperation.operationId} first={gitOperation.conflicts} />
                          </Notice>
                        ) : null}
                        <Lines of={gitOperation.warnings} few={5}>{(warning) => <bdi className={ui.hint}>{warning}</bdi>}</Lines>
                      </li>
                    );
                  })}
                </ul>
              )}
              <More list={list} info={gitOperations.pageInfo} />
            </section>
          </>
        )}
      </Reading>
    </>
  );
}
