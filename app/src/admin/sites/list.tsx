/** Sites of an organization, and making one. */

import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { toSite } from '../../place.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, More, ui } from '../../ui/ui.tsx';
import { views } from '../../views/parts.tsx';
import { admin, Text } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';
import { SpaceChoice } from '../space-choice.tsx';

const SITES = graphql(`
  query Sites($organization: ID!, $first: Int!, $after: String) {
    organization(id: $organization) {
      id
      sites(first: $first, after: $after) {
        nodes { id title published visibility siteSpaceCount urls { published } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);
const CREATE = graphql(`
  mutation CreateSite($organization: ID!, $input: CreateSiteInput!) { createSite(organizationId: $organization, input: $input) { id title } }
`);

function CreateDialog({ organization, isOpen, onClose }: { organization: string; isOpen: boolean; onClose: () => void }) {
  const a = useAdminTexts();
  const t = useTexts();
  const [, navigate] = useLocation();
  const [title, setTitle, forget] = useDraft(`new site ${organization}`);
  const [space, setSpace] = useState('');
  const { write, busy, error } = useWrite(CREATE);
  const send = async (): Promise<void> => {
    const done = (await write({ organization, input: { title: title.trim(), spaces: space ? [space] : [] } }))?.createSite;
    if (!done) return;
    forget(title);
    navigate(toSite(organization, done.id));
  };
  return (
    <FormDialog title={a.sites.create} action={t.create} isOpen={isOpen} onClose={onClose} onSend={send} busy={busy} error={error}>
      <Text label={a.title} value={title} onChange={setTitle} required autoFocus />
      <SpaceChoice organization={organization} label={a.sites.firstSpace} none={a.sites.noSpace} value={space} onChange={setSpace} />
    </FormDialog>
  );
}

export default function SitesView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const list = useMore();
  const [creating, setCreating] = useState(false);
  const result = useRead(SITES, { organization: organization.id, first: list.first, after: list.after });
  return (
    <>
      <AdminHead organization={organization} area="sites" lead={a.sites.lead} />
      {organization.permissions.createContent ? (
        <div className={admin.toolbar}><Button look="primary" onPress={() => setCreating(true)}>{a.sites.create}</Button></div>
      ) : null}
      <Reading result={result} pick={(data) => data.organization?.sites}>
        {({ nodes, pageInfo }) => (
          <div className={views.section}>
            {nodes.length === 0 ? <Empty>{a.sites.none}</Empty> : (
              <ul className={ui.rows}>
                {nodes.map((site) => (
                  <li key={site.id}>
                    <Link className={ui.row} href={toSite(organization.id, site.id)}>
                      <span className={ui.rowTitle}><bdi>{site.title}</bdi></span>
                      <span className={ui.rowAbout}>{a.sites.spaces(site.siteSpaceCount)}{site.urls.published ? <> · <bdi>{site.urls.published}</bdi></> : null}</span>
                      <span className={ui.rowSide}><Badge tone={site.published ? 'good' : 'neutral'}>{site.published ? a.sites.published : a.sites.notPublished}</Badge></span>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
      <CreateDialog organization={organization.id} isOpen={creating} onClose={() => setCreating(false)} />
    </>
  );
}
