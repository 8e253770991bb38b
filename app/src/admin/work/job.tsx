/** One job: its state in words, how far it is, cancelling and trying again. */

import { graphql } from '../../graph/generated/index.ts';
import type { JobRowFragment, JobState } from '../../graph/generated/graphql.ts';
import { useWrite } from '../../graph/write.ts';
import type { JobNews } from '../../live/jobs.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { Ago } from '../../texts/times.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { Badge, Button, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { admin, Progress } from '../kit.tsx';

export const JOB_ROW = graphql(`
  fragment JobRow on Job {
    id kind state stage done total message error attempts cancelRequested createdAt finishedAt
    space { id title }
    startedBy { id displayName }
  }
`);
const CANCEL = graphql(`
  mutation CancelJob($id: ID!) { cancelJob(id: $id) { ...JobRow } }
`);
const RETRY = graphql(`
  mutation RetryJob($id: ID!) { retryJob(id: $id) { ...JobRow } }
`);

export const TONES: Record<JobState, Tone> = { QUEUED: 'neutral', RUNNING: 'accent', SUCCEEDED: 'good', FAILED: 'bad', CANCELLED: 'warn' };

export function JobLine({ job: read, news }: { job: JobRowFragment; news: JobNews | undefined }) {
  const a = useAdminTexts();
  const cancelling = useWrite(CANCEL);
  const retrying = useWrite(RETRY);
  // What was read is newer where it says that the job is over.
  const job = news && read.finishedAt === null ? { ...read, ...news } : read;
  const kind = a.jobs.kinds[job.kind] ?? job.kind.toLowerCase().replaceAll('_', ' ');
  const isActive = job.state === 'QUEUED' || job.state === 'RUNNING';
  return (
    <>
      <div className={admin.line}>
        <div className={admin.main}>
          <span className={ui.rowTitle}>{kind}{job.space ? <>: <bdi>{job.space.title}</bdi></> : null}</span>
          <span className={ui.hint}>
            <Ago at={job.createdAt} />{job.startedBy ? <> · <bdi>{a.jobs.startedBy(job.startedBy.displayName)}</bdi></> : null}
            {job.attempts > 1 ? ` · ${a.jobs.attempts(job.attempts)}` : ''}
          </span>
        </div>
        <div className={admin.side}>
          {job.cancelRequested && isActive ? <span className={ui.hint}>{a.jobs.cancelling}</span> : null}
          <Badge tone={TONES[job.state]}>{a.jobs.states[job.state]}</Badge>
          {isActive && !job.cancelRequested ? <Button look="plain" isDisabled={cancelling.busy} onPress={() => void cancelling.write({ id: job.id })}>{a.jobs.cancel}<span className="hidden-text"> {kind}</span></Button> : null}
          {job.state === 'FAILED' || job.state === 'CANCELLED' ? <Button look="plain" isDisabled={retrying.busy} onPress={() => void retrying.write({ id: job.id })}>{a.jobs.again}<span className="hidden-text"> {kind}</span></Button> : null}
        </div>
      </div>
      {isActive && (job.total !== null || job.done > 0) ? (
        <div className={admin.line}>
          <Progress done={job.done} total={job.total} label={a.jobs.progressOf(kind)} />
          <span className={ui.hint}>{a.jobs.progress(job.done, job.total)}{job.message ? <> · <bdi>{job.message}</bdi></> : null}</span>
        </div>
      ) : job.message && !job.error ? <p className={ui.hint}><bdi>{job.message}</bdi></p> : null}
      {job.error ? <Notice tone="bad"><bdi>{job.error}</bdi></Notice> : null}
      <FailureNotice error={cancelling.error ?? retrying.error} />
    </>
  );
}
