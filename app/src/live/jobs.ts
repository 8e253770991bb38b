/** How far jobs are, as the server tells it. */

import { useEffect, useState } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { JobNewsSubscription } from '../graph/generated/graphql.ts';
import { refreshSoon, stream } from './stream.ts';

const JOBS = graphql(`
  subscription JobNews($organization: ID!, $space: ID) {
    jobs(organizationId: $organization, space: $space) { id state stage done total message error cancelRequested }
  }
`);

export type JobNews = NonNullable<JobNewsSubscription['jobs']>;
const OVER = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED']);
/** A list is read again for a job that begins or ends; what is between is told by the stream alone. */
export function useJobNews(organization: string, space: string | null = null): ReadonlyMap<string, JobNews> {
  const [news, setNews] = useState<ReadonlyMap<string, JobNews>>(new Map());
  useEffect(() => {
    const met = new Set<string>();
    return stream<{ jobs: JobNews | null }>({
      query: JOBS as unknown as string,
      variables: () => ({ organization, space }),
      after: null,
      take: ({ jobs: job }) => {
        if (job === null) return null;
        setNews((before) => new Map(before).set(job.id, job));
        if (!met.has(job.id) || OVER.has(job.state)) refreshSoon();
        met.add(job.id);
        return null;
      },
    });
  }, [organization, space]);
  return news;
}
