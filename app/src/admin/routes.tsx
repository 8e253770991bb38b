/** Everything below the address of an organization but its overview. */

import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { Reading, useRead, Waiting } from '../graph/reading.tsx';
import { useStill } from '../graph/staying.ts';
import { useFollowing } from '../live/follow.ts';
import { toOrganization } from '../place.ts';
import { decoded } from '../space/route.ts';
import { FailureView } from '../ui/failure.tsx';
import { type Part, part, useSoon } from '../ui/part.ts';
import { AREAS, type Area, mayRead } from '../shell/areas.ts';
import { ORGANIZATION, type Organization, useAdminSide } from './organization.tsx';

const VIEWS: Record<Area, Part<{ organization: Organization }>> = {
  people: part(() => import('./people/members.tsx')),
  teams: part(() => import('./people/teams.tsx')),
  invitations: part(() => import('./people/invitations.tsx')),
  sites: part(() => import('./sites/list.tsx')),
  jobs: part(() => import('./work/jobs.tsx')),
  specifications: part(() => import('./work/specifications.tsx')),
  translations: part(() => import('./work/translations.tsx')),
  webhooks: part(() => import('./work/webhooks.tsx')),
  integrations: part(() => import('./work/integrations.tsx')),
  audit: part(() => import('./audit.tsx')),
};
const SiteView = part(() => import('./sites/site.tsx'));
const SpecificationView = part(async () => ({ default: (await import('./work/specifications.tsx')).SpecificationView }));

function View({ organization, kind, name }: { organization: Organization; kind: string | undefined; name: string | undefined }) {
  useAdminSide(organization);
  const Area = kind === '~' && name !== undefined && Object.hasOwn(VIEWS, name) ? VIEWS[name as Area] : null;
  const may = useStill(Area !== null && mayRead(name as Area, organization), name);
  useSoon(...AREAS.filter((area) => mayRead(area, organization)).map((area) => VIEWS[area]), SiteView, SpecificationView);
  if (name === undefined) return <FailureView kind="missing" />;
  if (kind === 'sites') return <SiteView key={name} organization={organization} id={name} />;
  if (kind === 'openapi') return <SpecificationView key={name} organization={organization} slug={name} />;
  if (Area && !may) return <FailureView kind="forbidden" />;
  return Area ? <Area key={name} organization={organization} /> : <FailureView kind="missing" />;
}

export default function OrganizationRoutes({ id }: { id: string }) {
  const [location] = useLocation();
  const [kind, name] = location.slice(toOrganization(id).length).split('/').filter(Boolean).map(decoded);
  const result = useRead(ORGANIZATION, { id });
  const organization = result.data?.organization;
  useFollowing(organization ? id : null, null, organization?.events.nodes[0]?.id ?? null);
  return (
    <Reading result={result} pick={(data) => data.organization}>
      {(row) => <Suspense fallback={<Waiting />}><View organization={row} kind={kind} name={name} /></Suspense>}
    </Reading>
  );
}
