/** API specifications of an organization: their state, their problems in words, reading them again. */

import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import type { SpecificationRowFragment, SpecificationState } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { toAdmin, toSpecification } from '../../place.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Ago } from '../../texts/times.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useTitle } from '../../ui/title.ts';
import { Badge, Button, Empty, looks, More, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { Head, views } from '../../views/parts.tsx';
import { admin, Careful, Lines, Text } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';

export const SPECIFICATION_ROW = graphql(`
  fragment SpecificationRow on Specification {
    id slug sourceURL processingState lastProcessedAt lastProcessErrorCode
    lastProcessedErrors { message }
    lastVersion { id title }
    permissions { edit }
  }
`);
const LIST = graphql(`
  query Specifications($organization: ID!, $first: Int!, $after: String) {
    organization(id: $organization) { id specifications(first: $first, after: $after) { nodes { ...SpecificationRow } pageInfo { hasNextPage endCursor } } }
  }
`);
const ONE = graphql(`
  query SpecificationView($organization: ID!, $slug: String!, $first: Int!, $after: String) {
    specification(organizationId: $organization, slug: $slug) {
      ...SpecificationRow
      urls { published }
      versions(first: $first, after: $after) { nodes { id title format size createdAt url } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const CREATE = graphql(`
  mutation CreateSpecification($organization: ID!, $input: CreateSpecificationInput!) {
    createSpecification(organizationId: $organization, input: $input) { id slug }
  }
`);
const READ_AGAIN = graphql(`
  mutation ReadSpecificationAgain($organization: ID!, $slug: String!, $input: PutSpecificationInput!) {
    putSpecification(organizationId: $organization, slug: $slug, input: $input) { ...SpecificationRow }
  }
`);
const DELETE = graphql(`
  mutation DeleteSpecification($organization: ID!, $slug: String!) { deleteSpecification(organizationId: $organization, slug: $slug) { deletedId } }
`);

const TONES: Record<SpecificationState, Tone> = { PENDING: 'neutral', PROGRESS: 'accent', COMPLETE: 'good' };

function State({ row }: { row: SpecificationRowFragment }) {
  const a = useAdminTexts();
  const isBad = row.lastProcessErrorCode !== null;
  return <Badge tone={isBad ? 'bad' : TONES[row.processingState]}>{isBad ? a.jobs.states['FAILED'] : a.specifications.states[row.processingState]}</Badge>;
}

/** What went wrong when it was read last. */
function Problems({ row }: { row: SpecificationRowFragment }) {
  const a = useAdminTexts();
  if (row.lastProcessErrorCode === null && row.lastProcessedErrors.length === 0) return null;
  return (
    <Notice tone={row.lastProcessErrorCode === null ? 'warn' : 'bad'}>
      <strong>{a.specifications.problems}{row.lastProcessErrorCode ? `: ${a.specifications.codes[row.lastProcessErrorCode]}` : ''}</strong>
      <Lines of={row.lastProcessedErrors} few={5}>{(problem) => <bdi>{problem.message}</bdi>}</Lines>
    </Notice>
  );
}

function Actions({ organization, row, onDeleted }: { organization: Organization; row: SpecificationRowFragment; onDeleted?: () => void }) {
  const a = useAdminTexts();
  const t = useTexts();
  const reading = useWrite(READ_AGAIN);
  const deleting = useWrite(DELETE);
  const of = { organization: organization.id, slug: row.slug };
  if (!row.permissions.edit) return null;
  return (
    <>
      {row.sourceURL ? (
        <Button look="plain" isDisabled={reading.busy} onPress={() => void reading.write({ ...of, input: { source: { url: row.sourceURL ?? '' } } })}>{a.specifications.readAgain}<span className="hidden-text"> {row.slug}</span></Button>
      ) : null}
      <Careful
        label={<>{t.delete}<span className="hidden-text"> {row.slug}</span></>} title={a.specifications.deleteTitle(row.slug)} about={a.specifications.deleteAbout} action={t.delete}
        busy={deleting.busy} error={deleting.error}
        onDo={async () => {
          const done = await deleting.write(of);
          if (done) onDeleted?.();
          return done;
        }}
      />
      <FailureNotice error={reading.error} />
    </>
  );
}

export default function SpecificationsView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const t = useTexts();
  // Their problems count: more of them at once would cost too much.
  const list = useMore(50, 700);
  const [creating, setCreating] = useState(false);
  const [slug, setSlug, forgetSlug] = useDraft(`specification ${organization.id} slug`);
  const [url, setUrl, forgetUrl] = useDraft(`specification ${organization.id} url`);
  const result = useRead(LIST, { organization: organization.id, first: list.first, after: list.after });
  const { write, busy, error } = useWrite(CREATE);
  return (
    <>
      <AdminHead organization={organization} area="specifications" lead={a.specifications.lead} />
      {organization.permissions.createOpenAPISpec ? <div className={admin.toolbar}><Button look="primary" onPress={() => setCreating(true)}>{a.specifications.create}</Button></div> : null}
      <Reading result={result} pick={(data) => data.organization?.specifications}>
        {({ nodes, pageInfo }) => (
          <div className={views.section}>
            {nodes.length === 0 ? <Empty>{a.specifications.none}</Empty> : (
              <ul className={ui.rows}>
                {nodes.map((row) => (
                  <li key={row.id} className={admin.item}>
                    <div className={admin.line}>
                      <div className={admin.main}>
                        <Link className={ui.rowTitle} href={toSpecification(organization.id, row.slug)}><bdi>{row.lastVersion?.title ?? row.slug}</bdi></Link>
                        <span className={ui.hint}>{row.slug}{row.lastProcessedAt ? <> · {a.specifications.lastRead} <Ago at={row.lastProcessedAt} /></> : null}</span>
                      </div>
                      <div className={admin.side}><State row={row} /><Actions organization={organization} row={row} /></div>
                    </div>
                    <Problems row={row} />
                  </li>
                ))}
              </ul>
            )}
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
      <FormDialog
        title={a.specifications.create} action={t.create} isOpen={creating} onClose={() => setCreating(false)} busy={busy} error={error}
        onSend={async () => {
          if (!(await write({ organization: organization.id, input: { slug: slug.trim(), source: { url: url.trim() } } }))) return;
          forgetSlug(slug);
          forgetUrl(url);
          setCreating(false);
        }}
      >
        <Text label={a.specifications.slug} hint={a.specifications.slugHint} value={slug} onChange={setSlug} required autoFocus />
        <Text type="url" label={a.specifications.url} hint={a.specifications.urlHint} value={url} onChange={setUrl} required />
      </FormDialog>
    </>
  );
}

export function SpecificationView({ organization, slug }: { organization: Organization; slug: string }) {
  const a = useAdminTexts();
  const [, navigate] = useLocation();
  const versions = useMore();
  const result = useRead(ONE, { organization: organization.id, slug, first: versions.first, after: versions.after });
  useTitle(`${slug} | ${organization.title}`);
  const list = toAdmin(organization.id, 'specifications');
  return (
    <Reading result={result} pick={(data) => data.specification}>
      {(row) => (
        <>
          <Head
            title={<bdi>{row.lastVersion?.title ?? row.slug}</bdi>} crumbs={[{ href: list, title: a.areas.specifications }]}
            badges={<p className={admin.line}><State row={row} />{row.urls.published ? <a className={looks('normal')} href={row.urls.published}>{a.specifications.document}</a> : null}<Actions organization={organization} row={row} onDeleted={() => navigate(list)} /></p>}
          />
          <div className={views.section}>
            {row.sourceURL ? <p className={ui.hint}><bdi>{row.sourceURL}</bdi></p> : null}
            <Problems row={row} />
            <h2>{a.specifications.versions}</h2>
            {row.versions.nodes.length === 0 ? <Empty>{a.specifications.noVersions}</Empty> : (
              <ul className={ui.rows}>
                {row.versions.nodes.map((version) => (
                  <li key={version.id} className={admin.item}>
                    <span><a href={version.url}><bdi>{version.title}</bdi></a> <span className={ui.hint}>{version.format} · <Ago at={version.createdAt} /></span></span>
                  </li>
                ))}
              </ul>
            )}
            <More list={versions} info={row.versions.pageInfo} />
          </div>
        </>
      )}
    </Reading>
  );
}
