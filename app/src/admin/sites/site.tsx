/** One site: whether it is published and for whom, and the parts of it. */

import { Suspense, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import type { SiteViewQuery, SiteVisibility } from '../../graph/generated/graphql.ts';
import { Reading, useRead, Waiting } from '../../graph/reading.tsx';
import { useStill } from '../../graph/staying.ts';
import { useWrite } from '../../graph/write.ts';
import { toAdmin, toSite } from '../../place.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { part, useSoon } from '../../ui/part.ts';
import { useTitle } from '../../ui/title.ts';
import { Badge, Button, looks, Notice, ui } from '../../ui/ui.tsx';
import { Head, views } from '../../views/parts.tsx';
import { admin, Careful, Choice, CopyButton, Tabs, TakenBack, Text } from '../kit.tsx';
import type { Organization } from '../organization.tsx';

const Structure = part(() => import('./structure.tsx'));
const Shares = part(() => import('./shares.tsx'));
const Redirects = part(() => import('./redirects.tsx'));
const Domain = part(() => import('./domain.tsx'));
const Look = part(() => import('./look.tsx'));
const Insights = part(() => import('./insights.tsx'));

export const SITE_STATE = graphql(`
  fragment SiteState on Site { id title published visibility urls { published } }
`);
const SITE = graphql(`
  query SiteView($id: ID!) {
    site(id: $id) {
      ...SiteState
      siteSpaceCount
      permissions { edit publish delete viewInsights viewSettings preview manageHostname }
    }
  }
`);
const UPDATE = graphql(`
  mutation ChangeSite($id: ID!, $input: UpdateSiteInput!) { updateSite(id: $id, input: $input) { ...SiteState } }
`);
const PUBLISH = graphql(`
  mutation PublishSite($id: ID!) { publishSite(id: $id) { ...SiteState } }
`);
const UNPUBLISH = graphql(`
  mutation UnpublishSite($id: ID!) { unpublishSite(id: $id) { ...SiteState } }
`);
const DELETE = graphql(`
  mutation DeleteSite($id: ID!) { deleteSite(id: $id) { deletedId } }
`);

export type Site = NonNullable<SiteViewQuery['site']>;
export interface PartOfSite {
  readonly organization: Organization;
  readonly site: Site;
}

const VISIBILITIES: readonly SiteVisibility[] = ['PUBLIC', 'UNLISTED', 'SHARE_LINK', 'VISITOR_AUTH'];

function Overview({ organization, site }: PartOfSite) {
  const a = useAdminTexts();
  const t = useTexts();
  const [, navigate] = useLocation();
  const updating = useWrite(UPDATE);
  const publishing = useWrite(PUBLISH);
  const unpublishing = useWrite(UNPUBLISH);
  const deleting = useWrite(DELETE);
  const [pending, setPending] = useState<SiteVisibility | null>(null);
  const [title, setTitle] = useState(site.title);
  const mayEdit = useStill(site.permissions.edit);
  const show = async (visibility: SiteVisibility): Promise<void> => {
    setPending(visibility);
    await updating.write({ id: site.id, input: { visibility } });
    setPending(null);
  };
  const published = site.urls.published;
  return (
    <div className={`${admin.form} ${admin.narrow}`}>
      <dl className={admin.facts}>
        <dt>{t.status}</dt>
        <dd><Badge tone={site.published ? 'good' : 'neutral'}>{site.published ? a.sites.published : a.sites.notPublished}</Badge></dd>
        <dt>{a.sites.address}</dt>
        <dd>{published ? <><a href={published}>{published}</a> <CopyButton text={published} what={a.sites.address} /></> : a.sites.noAddress}</dd>
      </dl>
      {site.permissions.publish ? (
        site.published ? (
          <div>
            <Careful
              look="normal" label={a.sites.unpublish} title={a.sites.unpublishTitle} about={a.sites.unpublishAbout} action={a.sites.unpublish}
              onDo={() => unpublishing.write({ id: site.id })} busy={unpublishing.busy} error={unpublishing.error}
            />
          </div>
        ) : (
          <div className={admin.line}>
            <Button look="primary" isDisabled={publishing.busy} onPress={() => void publishing.write({ id: site.id })}>{a.sites.publish}</Button>
            <span className={ui.hint}>{a.sites.publishAbout}</span>
          </div>
        )
      ) : null}
      <FailureNotice error={publishing.error} />
      {mayEdit ? (
        <>
          <Choice
            label={a.sites.audience} value={pending ?? site.visibility} isDisabled={updating.busy}
            options={VISIBILITIES.map((siteVisibility) => [siteVisibility, a.sites.audiences[siteVisibility] ?? siteVisibility] as const)} onChange={(siteVisibility) => void show(siteVisibility)}
          />
          <form
            className={admin.line}
            onSubmit={(event) => {
              event.preventDefault();
              void updating.write({ id: site.id, input: { title: title.trim() } });
            }}
          >
            <div className={admin.grow}><Text label={a.title} value={title} onChange={setTitle} required /></div>
            <span style={{ alignSelf: 'end' }}><Button type="submit" isDisabled={updating.busy || title.trim() === site.title}>{t.save}</Button></span>
          </form>
          <TakenBack error={updating.error} />
        </>
      ) : <Notice tone="neutral">{a.sites.readOnly}</Notice>}
      {site.permissions.delete ? (
        <div>
          <Careful
            label={a.sites.deleteSite} title={a.sites.deleteTitle(site.title)} about={a.sites.deleteAbout} action={t.delete} busy={deleting.busy} error={deleting.error}
            onDo={async () => {
              const done = await deleting.write({ id: site.id });
              if (done) navigate(toAdmin(organization.id, 'sites'));
              return done;
            }}
          />
        </div>
      ) : null}
    </div>
  );
}

const PARTS = { overview: Overview, content: Structure, sharing: Shares, redirects: Redirects, domain: Domain, look: Look, insights: Insights };
type PartName = keyof typeof PARTS;
/** Parts that not everybody who sees the site may see. */
const NEEDS: Partial<Record<PartName, keyof Site['permissions']>> = { sharing: 'viewSettings', redirects: 'viewSettings', insights: 'viewInsights' };
const mayRead = ({ permissions }: Site, part: PartName): boolean => NEEDS[part] === undefined || permissions[NEEDS[part]] === true;

export default function SiteView({ organization, id }: { organization: Organization; id: string }) {
  const a = useAdminTexts();
  const t = useTexts();
  const [parameters] = useSearchParams();
  useSoon(Structure, Shares, Redirects, Domain, Look, Insights);
  const result = useRead(SITE, { id });
  const name = (Object.keys(PARTS) as PartName[]).find((key) => key === parameters.get('tab')) ?? 'overview';
  const title = result.data?.site?.title;
  useTitle(title ? `${title} | ${a.sites.tabs[name]}` : null);
  const address = toSite(organization.id, id);
  const Part = PARTS[name];
  const site = result.data?.site;
  const may = useStill(site != null && mayRead(site, name), name);
  return (
    <Reading result={result} pick={(data) => data.site}>
      {(site) => (
        <>
          <Head
            title={<bdi>{site.title}</bdi>}
            crumbs={[{ href: toAdmin(organization.id, 'sites'), title: a.areas.sites }]}
            action={site.urls.published ? <a className={looks('normal')} href={site.urls.published}>{a.sites.visit}</a> : null}
          />
          <Tabs
            label={a.sites.parts} current={name}
            tabs={(Object.keys(PARTS) as PartName[]).filter((key) => mayRead(site, key)).map((key) => [key, key === 'overview' ? address : `${address}?tab=${key}`, a.sites.tabs[key]] as const)}
          />
          <div className={views.section}>
            {may ? <Suspense fallback={<Waiting />}><Part key={`${name} ${site.id}`} organization={organization} site={site} /></Suspense> : <Notice tone="neutral" role="alert"><strong>{t.failures.forbidden.title}</strong><span>{t.failures.forbidden.advice}</span></Notice>}
          </div>
        </>
      )}
    </Reading>
  );
}
