/** Importing documentation into a space: of a file or an address, with its progress. */

import { useState } from 'react';
import { Link } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import type { ImportContentSource, ImportRunRowFragment } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { sendFile } from '../../graph/upload.ts';
import { useWrite } from '../../graph/write.ts';
import { type JobNews, useJobNews } from '../../live/jobs.ts';
import { toChange, toSpace } from '../../place.ts';
import { mayWrite, type SpaceFrame } from '../../space/routes.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FailureNotice } from '../../ui/failure.tsx';
import { useTitle } from '../../ui/title.ts';
import { Badge, Button, Empty, More, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { Head, views } from '../../views/parts.tsx';
import { admin, Choice, Lines, Text, Tick } from '../kit.tsx';
import { JobLine } from '../work/job.tsx';

export const IMPORT_RUN_ROW = graphql(`
  fragment ImportRunRow on ImportRun {
    runId status warnings
    job { ...JobRow }
    importedResources totalResources changeRequestId
    space { id }
  }
`);
const RUNS = graphql(`
  query ImportRuns($organization: ID!, $first: Int!, $after: String) { organization(id: $organization) { id importRuns(first: $first, after: $after) { nodes { ...ImportRunRow } pageInfo { hasNextPage endCursor } } } }
`);
const UPLOAD = graphql(`
  mutation UploadImport($organization: ID!, $input: StorageUploadInput!) { generateStorageUploadUrl(organizationId: $organization, input: $input) { url key } }
`);
const BEGIN = graphql(`
  mutation BeginImport($space: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $space, input: $input) { id number } }
`);
const START = graphql(`
  mutation StartImport($organization: ID!, $input: StartImportRunInput!) { startImportRun(organizationId: $organization, input: $input) { ...ImportRunRow } }
`);
const TONES: Record<ImportRunRowFragment['status'], Tone> = { PENDING: 'neutral', IN_PROGRESS: 'accent', COMPLETED: 'good', FAILED: 'bad', CANCELLED: 'warn' };

function Run({ space, run, news }: { space: string; run: ImportRunRowFragment; news: JobNews | undefined }) {
  const a = useAdminTexts();
  return (
    <li className={admin.item}>
      <JobLine job={run.job} news={news} />
      {run.status === 'COMPLETED' ? <span className={ui.hint}><Badge tone={TONES[run.status]}>{a.imports.states[run.status]}</Badge> {a.imports.resources(run.importedResources ?? 0, run.totalResources ?? 0)} {run.changeRequestId ? <Link href={`${toChange(space, run.changeRequestId)}?tab=changes`}>{a.imports.read}</Link> : null}</span> : null}
      {run.warnings.length > 0 ? (
        <details>
          <summary>{a.imports.warnings} ({run.warnings.length})</summary>
          <Lines of={run.warnings} few={50}>{(warning) => <bdi className={ui.hint}>{warning}</bdi>}</Lines>
        </details>
      ) : null}
    </li>
  );
}

export default function ImportView({ space }: { space: SpaceFrame }) {
  const a = useAdminTexts();
  const organization = space.organization.id;
  const [from, setFrom] = useState<'file' | 'url'>('file');
  const [file, setFile] = useState<File | null>(null);
  const [url, setUrl] = useState('');
  const [format, setFormat] = useState<ImportContentSource>('WEBSITE');
  const [into, setInto] = useState<'change' | 'space'>('change');
  const [isUpdate, setUpdate] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [change, setChange] = useState<number | null>(null);
  const uploading = useWrite(UPLOAD, false);
  const beginning = useWrite(BEGIN, false);
  const starting = useWrite(START);
  const list = useMore(50, 300);
  const runs = useRead(RUNS, { organization, first: list.first, after: list.after });
  const news = useJobNews(organization, space.id);
  useTitle(`${a.imports.title} | ${space.title}`);

  const keyOfFile = async (file: File): Promise<string | null> => {
    const about = { name: file.name, type: file.type || 'application/octet-stream', size: file.size };
    const place = (await uploading.write({ organization, input: { kind: 'IMPORT_FILE', file: about } }))?.generateStorageUploadUrl;
    if (!place) return null;
    setSent(0);
    const isThere = await sendFile(place.url, file, setSent);
    setSent(null);
    setFailed(!isThere);
    return isThere ? place.key : null;
  };
  const start = async (): Promise<void> => {
    setFailed(false);
    setChange(null);
    const key = from === 'file' && file ? await keyOfFile(file) : null;
    if (from === 'file' && key === null) return;
    const request = into === 'change' ? (await beginning.write({ space: space.id, input: { subject: a.imports.subject } }))?.createChangeRequest : null;
    if (into === 'change' && !request) return;
    const done = await starting.write({
      organization,
      input: {
        source: from === 'file' ? { type: 'FILE', files: [key ?? ''] } : { type: 'WEBSITE', url: url.trim(), format },
        target: { space: space.id, changeRequest: request?.id ?? null },
        mode: isUpdate ? 'UPDATE' : 'APPEND',
      },
    });
    if (done && request) setChange(request.number);
  };
  const isBusy = uploading.busy || beginning.busy || starting.busy || sent !== null;
  return (
    <>
      <Head title={a.imports.title} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={a.imports.lead} />
      <form
        className={`${admin.form} ${admin.narrow}`}
        style={{ marginBlockEnd: '2rem' }}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void start();
        }}
      >
        <Choice label={a.imports.from} value={from} onChange={setFrom} options={[['file', a.imports.fromFile], ['url', a.imports.fromUrl]]} />
        {from === 'file' ? (
          <label className={ui.field}>
            <span className={ui.label}>{a.imports.file}</span>
            <input className={ui.input} type="file" required accept=".zip,.docx,.md,.html,.htm,.epub" onChange={(event) => setFile(event.target.files?.[0] ?? null)} />
          </label>
        ) : (
          <>
            <Text type="url" label={a.imports.url} value={url} onChange={setUrl} required />
            <Choice label={a.imports.what} value={format} onChange={setFormat} options={Object.entries(a.imports.formats) as Array<[ImportContentSource, string]>} />
          </>
        )}
        <Choice label={a.imports.into} value={into} onChange={setInto} options={mayWrite(space) ? [['change', a.imports.intoChange], ['space', a.imports.intoSpace]] : [['change', a.imports.intoChange]]} />
        <Tick label={a.imports.update} checked={isUpdate} onChange={setUpdate} />
        {sent === null ? null : <p role="status">{a.imports.uploading(sent)}</p>}
        {isFailed ? <Notice tone="bad" role="alert">{a.imports.uploadFailed}</Notice> : null}
        <FailureNotice error={uploading.error ?? beginning.error ?? starting.error} />
        {change === null ? null : <Notice tone="good" role="status"><Link href={`${toChange(space.id, change)}?tab=changes`}>{a.imports.read}</Link></Notice>}
        <div><Button look="primary" type="submit" isDisabled={isBusy}>{a.imports.start}</Button></div>
      </form>
      <section className={views.section}>
        <h2>{a.imports.earlier}</h2>
        <Reading result={runs} pick={(data) => data.organization?.importRuns.nodes.filter((run) => run.space?.id === space.id)}>
          {(rows) => rows.length === 0 ? <Empty>{a.imports.noEarlier}</Empty> : <ul className={ui.rows}>{rows.map((run) => <Run key={run.runId} space={space.id} run={run} news={news.get(run.job.id)} />)}</ul>}
        </Reading>
        <More list={list} info={runs.data?.organization?.importRuns.pageInfo} />
      </section>
    </>
  );
}
