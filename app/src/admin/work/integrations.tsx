/** Integrations of an organization: what is installed and how it is, what can be installed. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { InstallationStatus } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { isAnswered, Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FailureNotice } from '../../ui/failure.tsx';
import { Badge, Button, Empty, More, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { views } from '../../views/parts.tsx';
import { admin, Careful, Text, useRested } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';

const INSTALLED = graphql(`
  query InstalledIntegrations($organization: ID!, $first: Int!, $after: String) {
    organization(id: $organization) {
      id
      installations(first: $first, after: $after) { nodes { id status spaceCount integration { id name title summary } } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const AVAILABLE = graphql(`
  query AvailableIntegrations($organization: ID!, $first: Int!, $after: String, $search: String) {
    organization(id: $organization) {
      id
      integrations(first: $first, after: $after, search: $search) { nodes { id name title summary description verified } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const INSTALL = graphql(`
  mutation InstallIntegration($name: String!, $input: InstallIntegrationInput!) { installIntegration(name: $name, input: $input) { id status } }
`);
const UNINSTALL = graphql(`
  mutation UninstallIntegration($id: ID!, $name: String!) { uninstallIntegration(id: $id, integrationName: $name) { deletedId } }
`);
const TONES: Record<InstallationStatus, Tone> = { ACTIVE: 'good', PENDING: 'warn', PAUSED: 'neutral' };

export default function IntegrationsView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const search = useRested(words.trim());
  const list = useMore();
  const listOf = useMore(20, undefined, search);
  const installed = useRead(INSTALLED, { organization: organization.id, first: list.first, after: list.after }, !organization.permissions.listInstallations);
  const available = useRead(AVAILABLE, { organization: organization.id, first: listOf.first, after: listOf.after, search: search || null });
  const installing = useWrite(INSTALL);
  const leaving = useWrite(UNINSTALL);
  const mayInstall = organization.permissions.installIntegration;
  const there = new Set(installed.data?.organization?.installations.nodes.map((installation) => installation.integration.name));
  return (
    <>
      <AdminHead organization={organization} area="integrations" lead={a.integrations.lead} />
      {organization.permissions.listInstallations ? null : <Notice tone="neutral">{a.integrations.adminsOnly}</Notice>}
      {organization.permissions.listInstallations ? <section className={views.section}>
        <h2>{a.integrations.installed}</h2>
        <Reading result={installed} pick={(data) => data.organization?.installations}>
          {({ nodes, pageInfo }) => (
            <>
              {nodes.length === 0 ? <Empty>{a.integrations.noneInstalled}</Empty> : (
                <ul className={ui.rows}>
                  {nodes.map(({ id, status, spaceCount, integration }) => (
                    <li key={id} className={admin.item}>
                      <div className={admin.line}>
                        <div className={admin.main}>
                          <span className={ui.rowTitle}><bdi>{integration.title}</bdi></span>
                          <span className={ui.hint}>{a.integrations.spaces(spaceCount)}{integration.summary ? <> · <bdi>{integration.summary}</bdi></> : null}</span>
                        </div>
                        <div className={admin.side}>
                          <Badge tone={TONES[status]}>{a.integrations.states[status]}</Badge>
                          {mayInstall ? (
                            <Careful
                              label={<>{a.integrations.uninstall}<span className="hidden-text"> {integration.title}</span></>} title={a.integrations.uninstallTitle(integration.title)} about={a.integrations.uninstallAbout} action={a.integrations.uninstall}
                              onDo={() => leaving.write({ id, name: integration.name })} busy={leaving.busy} error={leaving.error}
                            />
                          ) : null}
                        </div>
                      </div>
                    </li>
                  ))}
                </ul>
              )}
              <More list={list} info={pageInfo} what={a.integrations.installed} />
            </>
          )}
        </Reading>
      </section> : null}
      {/* What is installed is not offered, and pushes nothing away when it comes. */}
      {organization.permissions.listInstallations && !isAnswered(installed) ? null : <section className={views.section}>
        <h2>{a.integrations.available}</h2>
        <div className={admin.grow}><Text type="search" label={a.integrations.search} value={words} onChange={setWords} /></div>
        <FailureNotice error={installing.error} />
        <Reading result={available} pick={(data) => data.organization?.integrations}>
          {({ nodes, pageInfo }) => {
            const rows = nodes.filter((node) => !there.has(node.name));
            return (
              <>
                {rows.length === 0 ? <Empty>{a.integrations.noneAvailable}</Empty> : (
                  <ul className={ui.rows}>
                    {rows.map((row) => (
                      <li key={row.id} className={admin.item}>
                        <div className={admin.line}>
                          <div className={admin.main}><span className={ui.rowTitle}><bdi>{row.title}</bdi></span><span className={ui.hint}><bdi>{row.summary ?? row.description}</bdi></span></div>
                          {mayInstall ? <Button isDisabled={installing.busy} onPress={() => void installing.write({ name: row.name, input: { organization: organization.id } })}>{a.integrations.install}<span className="hidden-text"> {row.title}</span></Button> : null}
                        </div>
                      </li>
                    ))}
                  </ul>
                )}
                <More list={listOf} info={pageInfo} what={a.integrations.available} />
              </>
            );
          }}
        </Reading>
      </section>}
    </>
  );
}
