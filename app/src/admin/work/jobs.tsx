/** Jobs of an organization, with their progress as it comes. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { JobKind, JobState } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useJobNews } from '../../live/jobs.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { Empty, More, ui } from '../../ui/ui.tsx';
import { views } from '../../views/parts.tsx';
import { admin, Choice } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';
import { JobLine } from './job.tsx';

const JOBS = graphql(`
  query Jobs($organization: ID!, $first: Int!, $after: String, $kind: JobKind, $state: JobState) {
    organization(id: $organization) {
      id
      jobs(first: $first, after: $after, kind: $kind, state: $state) { nodes { ...JobRow } pageInfo { hasNextPage endCursor } }
    }
  }
`);

export default function JobsView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const [kind, setKind] = useState('');
  const [state, setState] = useState('');
  const list = useMore(30, undefined, `${kind} ${state}`);
  const news = useJobNews(organization.id);
  const result = useRead(JOBS, { organization: organization.id, first: list.first, after: list.after, kind: (kind || null) as JobKind | null, state: (state || null) as JobState | null });
  return (
    <>
      <AdminHead organization={organization} area="jobs" lead={a.jobs.lead} />
      <div className={admin.toolbar}>
        <Choice label={a.jobs.kind} value={kind} onChange={setKind} options={[['', a.jobs.anyKind], ...Object.entries(a.jobs.kinds)]} />
        <Choice label={a.jobs.state} value={state} onChange={setState} options={[['', a.jobs.anyState], ...Object.entries(a.jobs.states)]} />
      </div>
      <Reading result={result} pick={(data) => data.organization?.jobs}>
        {({ nodes, pageInfo }) => (
          <div className={views.section}>
            {nodes.length === 0 ? <Empty>{a.jobs.none}</Empty> : (
              <ul className={ui.rows}>{nodes.map((job) => <li key={job.id} className={admin.item}><JobLine job={job} news={news.get(job.id)} /></li>)}</ul>
            )}
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
    </>
  );
}
