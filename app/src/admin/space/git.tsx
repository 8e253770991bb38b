/** A space and its Git repository: how they are connected, and what was synchronised. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { GitConfigurationDirection, GitOperationState, GitSettingsFragment } from '../../graph/generated/graphql.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useJobNews } from '../../live/jobs.ts';
import { toSpace } from '../../place.ts';
import type { SpaceFrame } from '../../space/routes.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Ago } from '../../texts/times.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { useTitle } from '../../ui/title.ts';
import { Badge, Button, Empty, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { Head, views } from '../../views/parts.tsx';
import { admin, Careful, Choice, FormDialog, Progress, Said, Secret, Text, Tick } from '../kit.tsx';

export const GIT_SETTINGS = graphql(`
  fragment GitSettings on GitConfiguration {
    url ref directory direction intervalMinutes enabled hasCredentials hookUrl nextAt
  }
`);
const GIT = graphql(`
  query GitOfSpace($space: ID!) {
    gitConfiguration(spaceId: $space) { ...GitSettings }
    space(id: $space) {
      id
      permissions { triggerGitSync }
      gitOperations(first: 15) {
        nodes {
          operationId direction state ref dispatchedTasks completedTasks startedAt error nothingDone warnings
          job { id done total }
          conflicts { path reason }
        }
      }
    }
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
const TONES: Record<GitOperationState, Tone> = { RUNNING: 'accent', FAILURE: 'bad', SUCCESS: 'good' };

function SettingsDialog({ space, before, isOpen, onClose }: { space: string; before: GitSettingsFragment | null; isOpen: boolean; onClose: () => void }) {
  const a = useAdminTexts();
  const t = useTexts();
  const [url, setUrl] = useState(before?.url ?? '');
  const [ref, setRef] = useState(before?.ref ?? 'main');
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
      title={before ? a.git.change : a.git.save} action={t.save} isOpen={isOpen} onClose={close} busy={busy} error={error} isDone={secret !== null} wide
      onSend={async () => {
        const input = {
          url: url.trim(), ref: ref.trim(), direction, repoProjectDirectory: directory.trim() || null,
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
  const [isStarted, setStarted] = useState(false);
  const running = useWrite(RUN);
  const leaving = useWrite(DISCONNECT);
  return (
    <section className={views.section}>
      {settings === null ? <Empty>{a.git.none}</Empty> : (
        <dl className={admin.facts}>
          <dt>{a.git.url}</dt><dd><bdi>{settings.url}</bdi></dd>
          <dt>{a.git.ref}</dt><dd><code>{settings.ref}</code>{settings.directory ? <> · {a.git.directory} <code>{settings.directory}</code></> : null}</dd>
          <dt>{a.git.direction}</dt><dd>{a.git.directions[settings.direction]}</dd>
          <dt>{a.git.enabled}</dt><dd>{settings.enabled ? <>✓ {settings.nextAt ? <>{a.git.next} <Ago at={settings.nextAt} /></> : null}</> : <Badge tone="warn">{a.git.paused}</Badge>}</dd>
          <dt>{a.git.hook}</dt><dd><Secret text={settings.hookUrl} what={a.git.hook} /></dd>
        </dl>
      )}
      {mayChange ? (
        <div className={admin.line}>
          {settings ? <Button look="primary" isDisabled={running.busy} onPress={() => void running.write({ space: space.id }).then((done) => setStarted(done !== null))}>{a.git.run}</Button> : null}
          <Button look={settings ? 'normal' : 'primary'} onPress={() => setOpen(true)}>{settings ? a.git.change : a.git.save}</Button>
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
      <SettingsDialog key={JSON.stringify(settings)} space={space.id} before={settings} isOpen={isOpen} onClose={() => setOpen(false)} />
    </section>
  );
}

export default function GitView({ space }: { space: SpaceFrame }) {
  const a = useAdminTexts();
  const result = useRead(GIT, { space: space.id });
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
                  {gitOperations.nodes.map((one) => {
                    const job = news.get(one.job.id) ?? one.job;
                    return (
                      <li key={one.operationId} className={admin.item}>
                        <div className={admin.line}>
                          <div className={admin.main}>
                            <span className={ui.rowTitle}>{one.direction === 'IMPORT' ? a.git.into : a.git.outOf}</span>
                            <span className={ui.hint}><code>{one.ref}</code> · <Ago at={one.startedAt} />{one.nothingDone ? <> · <bdi>{one.nothingDone}</bdi></> : null}</span>
                          </div>
                          <Badge tone={TONES[one.state]}>{a.git.states[one.state]}</Badge>
                        </div>
                        {one.state === 'RUNNING' ? <Progress done={job.done} total={job.total} label={a.git.title} /> : null}
                        {one.error ? <Notice tone="bad"><bdi>{one.error}</bdi></Notice> : null}
                        {one.conflicts.length > 0 ? (
                          <Notice tone="warn">
                            <strong>{a.git.conflicts(one.conflicts.length)}</strong>
                            {one.conflicts.slice(0, 5).map((conflict) => <span key={conflict.path}><code>{conflict.path}</code>: <bdi>{conflict.reason}</bdi></span>)}
                          </Notice>
                        ) : null}
                        {one.warnings.slice(0, 5).map((warning, index) => <span key={index} className={ui.hint}><bdi>{warning}</bdi></span>)}
                      </li>
                    );
                  })}
                </ul>
              )}
            </section>
          </>
        )}
      </Reading>
    </>
  );
}
