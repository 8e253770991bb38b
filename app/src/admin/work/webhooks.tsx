/** Webhooks of an organization: their state, their deliveries, switching, testing. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { DeliveryState, WebhookRowFragment } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Ago } from '../../texts/times.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, More, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { views } from '../../views/parts.tsx';
import { admin, Careful, Said, Secret, TakenBack, Text } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';

export const WEBHOOK_ROW = graphql(`
  fragment WebhookRow on Webhook {
    id url description types enabled stop failingSince createdAt
    space { id title }
    site { id title }
  }
`);
const LIST = graphql(`
  query Webhooks($organization: ID!, $first: Int!, $after: String) {
    organization(id: $organization) { id webhooks(first: $first, after: $after) { nodes { ...WebhookRow } pageInfo { hasNextPage endCursor } } }
  }
`);
const DELIVERIES = graphql(`
  query WebhookDeliveries($id: ID!, $first: Int!, $after: String) {
    webhook(id: $id) { id deliveries(first: $first, after: $after) { nodes { id type state attemptCount createdAt attempts { status error } } pageInfo { hasNextPage endCursor } } }
  }
`);
const CREATE = graphql(`
  mutation CreateWebhook($organization: ID!, $input: CreateWebhookInput!) {
    createWebhook(organizationId: $organization, input: $input) { secret webhook { ...WebhookRow } }
  }
`);
const UPDATE = graphql(`
  mutation ChangeWebhook($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { ...WebhookRow } }
`);
const TEST = graphql(`
  mutation TestWebhook($id: ID!) { sendWebhookTest(id: $id) { id } }
`);
const AGAIN = graphql(`
  mutation SendDeliveryAgain($id: ID!) { redeliverWebhookDelivery(id: $id) { id state } }
`);
const DELETE = graphql(`
  mutation DeleteWebhook($id: ID!) { deleteWebhook(id: $id) { deletedId } }
`);

const TONES: Record<DeliveryState, Tone> = { QUEUED: 'neutral', RETRYING: 'warn', DELIVERED: 'good', DEAD: 'bad' };

function Deliveries({ webhook }: { webhook: string }) {
  const a = useAdminTexts();
  const list = useMore(20, 300);
  const result = useRead(DELIVERIES, { id: webhook, first: list.first, after: list.after });
  const { write, busy, error } = useWrite(AGAIN);
  return (
    <Reading result={result} pick={(data) => data.webhook?.deliveries}>
      {({ nodes, pageInfo }) => (
        <div className={admin.details}>
          <strong>{a.webhooks.deliveries}</strong>
          {nodes.length === 0 ? <p>{a.webhooks.noDeliveries}</p> : (
            <ul className={admin.plainList}>
              {nodes.map((node) => {
                const last = node.attempts.at(-1);
                return (
                  <li key={node.id} className={admin.line}>
                    <span className={admin.main}>
                      <code>{node.type}</code>
                      <span className={ui.hint}>
                        <Ago at={node.createdAt} /> · {a.webhooks.attempts(node.attemptCount)}
                        {last?.status ? ` · ${a.webhooks.status(last.status)}` : ''}{last?.error ? <> · <bdi>{last.error}</bdi></> : null}
                      </span>
                    </span>
                    <Badge tone={TONES[node.state]}>{a.webhooks.states[node.state]}</Badge>
                    {node.state === 'DEAD' || node.state === 'DELIVERED' ? <Button look="plain" isDisabled={busy} onPress={() => void write({ id: node.id })}>{a.webhooks.again}<span className="hidden-text"> {node.type} <Ago at={node.createdAt} /></span></Button> : null}
                  </li>
                );
              })}
            </ul>
          )}
          <More list={list} info={pageInfo} what={a.webhooks.deliveries} />
          <FailureNotice error={error} />
        </div>
      )}
    </Reading>
  );
}

function Row({ row }: { row: WebhookRowFragment }) {
  const a = useAdminTexts();
  const t = useTexts();
  const updating = useWrite(UPDATE);
  const testing = useWrite(TEST, false);
  const deleting = useWrite(DELETE);
  const [isOpen, setOpen] = useState(false);
  const [pending, setPending] = useState<boolean | null>(null);
  const [isTested, setTested] = useState(false);
  const test = async (): Promise<void> => {
    setTested(false);
    setTested((await testing.write({ id: row.id })) !== null);
  };
  const isOn = pending ?? row.enabled;
  const turn = async (): Promise<void> => {
    setPending(!isOn);
    await updating.write({ id: row.id, input: { enabled: !isOn } });
    setPending(null);
  };
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <div className={admin.main}>
          <span className={ui.rowTitle}><bdi>{row.description || row.url}</bdi></span>
          <span className={ui.hint}>
            <bdi>{row.url}</bdi> · {row.types === null ? a.webhooks.allEvents : a.webhooks.events(row.types.length)}
            {row.space ?? row.site ? <> · <bdi>{(row.space ?? row.site)?.title}</bdi></> : null}
          </span>
        </div>
        <div className={admin.side}>
          <Badge tone={isOn ? (row.failingSince ? 'warn' : 'good') : 'neutral'}>{isOn ? a.webhooks.on : a.webhooks.off}</Badge>
          <Button look="plain" isDisabled={updating.busy} onPress={() => void turn()}>{isOn ? a.webhooks.turnOff : a.webhooks.turnOn}<span className="hidden-text"> {row.url}</span></Button>
          <Button look="plain" isDisabled={testing.busy || !isOn} onPress={() => void test()}>{a.webhooks.test}<span className="hidden-text"> {row.url}</span></Button>
          <Button look="plain" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>{isOpen ? a.hideDetails : a.webhooks.deliveries}<span className="hidden-text"> {row.url}</span></Button>
          <Careful
            label={<>{t.delete}<span className="hidden-text"> {row.url}</span></>} title={a.webhooks.deleteTitle} about={a.webhooks.deleteAbout} action={t.delete}
            onDo={() => deleting.write({ id: row.id })} busy={deleting.busy} error={deleting.error}
          />
        </div>
      </div>
      {row.stop ? <Notice tone="bad">{a.webhooks.stops[row.stop]}</Notice> : row.failingSince ? <Notice tone="warn">{a.webhooks.failing} <Ago at={row.failingSince} /></Notice> : null}
      {isTested ? <Said>{a.webhooks.tested}</Said> : null}
      {isOpen ? <Deliveries webhook={row.id} /> : null}
      <TakenBack error={updating.error} />
      <FailureNotice error={testing.error} />
    </li>
  );
}

export default function WebhooksView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const t = useTexts();
  const list = useMore();
  const [creating, setCreating] = useState(false);
  const [url, setUrl, forgetUrl] = useDraft(`webhook ${organization.id} url`);
  const [about, setAbout, forgetAbout] = useDraft(`webhook ${organization.id} about`);
  const [secret, setSecret] = useState<string | null>(null);
  const result = useRead(LIST, { organization: organization.id, first: list.first, after: list.after });
  const { write, busy, error } = useWrite(CREATE);
  return (
    <>
      <AdminHead organization={organization} area="webhooks" lead={a.webhooks.lead} />
      <div className={admin.toolbar}><Button look="primary" onPress={() => setCreating(true)}>{a.webhooks.create}</Button></div>
      <Reading result={result} pick={(data) => data.organization?.webhooks}>
        {({ nodes, pageInfo }) => (
          <div className={views.section}>
            {nodes.length === 0 ? <Empty>{a.webhooks.none}</Empty> : <ul className={ui.rows}>{nodes.map((row) => <Row key={row.id} row={row} />)}</ul>}
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
      <FormDialog
        title={a.webhooks.create} action={t.create} isOpen={creating} busy={busy} error={error} isDone={secret !== null}
        onClose={() => {
          setSecret(null);
          setCreating(false);
        }}
        onSend={async () => {
          const done = (await write({ organization: organization.id, input: { url: url.trim(), description: about.trim() } }))?.createWebhook;
          if (!done) return;
          forgetUrl(url);
          forgetAbout(about);
          setSecret(done.secret);
        }}
      >
        {secret ? <><Notice tone="warn" role="status">{a.webhooks.secretOnce}</Notice><Secret text={secret} what={a.webhooks.secret} /></> : (
          <>
            <Text type="url" label={a.webhooks.url} value={url} onChange={setUrl} required autoFocus />
            <Text label={a.webhooks.describe} value={about} onChange={setAbout} />
          </>
        )}
      </FormDialog>
    </>
  );
}
