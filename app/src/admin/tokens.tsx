/** Tokens of whoever is signed in. */

import { useState } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { MyTokenFragment, TokenScope } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useWrite } from '../graph/write.ts';
import { useDraft } from '../review/drafts.ts';
import { useAdminTexts } from '../texts/admin/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useTitle } from '../ui/title.ts';
import { Badge, Button, Empty, More, Notice, ui } from '../ui/ui.tsx';
import { Head, views } from '../views/parts.tsx';
import { admin, Careful, Choice, Secret, Text, Tick } from './kit.tsx';

export const MY_TOKEN = graphql(`
  fragment MyToken on Token { id label scopes createdAt expiresAt lastUsedAt revokedAt }
`);
const TOKENS = graphql(`
  query MyTokens($first: Int!, $after: String) { viewer { id tokens(first: $first, after: $after) { nodes { ...MyToken } pageInfo { hasNextPage endCursor } } } }
`);
const CREATE = graphql(`
  mutation CreateMyToken($input: CreateTokenInput!) { createToken(input: $input) { text token { ...MyToken } } }
`);
const REVOKE = graphql(`
  mutation RevokeMyToken($id: ID!) { revokeToken(id: $id) { ...MyToken } }
`);

const FINE: readonly TokenScope[] = [
  'USER_READ', 'ORGANIZATION_READ', 'ORGANIZATION_WRITE', 'ORGANIZATION_MEMBERS_READ', 'ORGANIZATION_MEMBERS_WRITE', 'ORGANIZATION_SEARCH',
  'SPACE_READ', 'SPACE_WRITE', 'SPACE_PERMISSIONS_READ', 'SPACE_PERMISSIONS_WRITE', 'CHANGE_REQUEST_MERGE', 'SITE_READ', 'SITE_WRITE',
  'SITE_PUBLISH', 'SITE_PERMISSIONS_READ', 'SITE_PERMISSIONS_WRITE', 'SITE_AUTH_READ', 'SITE_AUTH_WRITE', 'SITE_INSIGHTS_READ', 'SITE_SEARCH',
  'INTEGRATION_READ', 'INTEGRATION_INSTALLATIONS_READ', 'INTEGRATION_INSTALLATIONS_WRITE', 'WEBHOOK_READ', 'WEBHOOK_WRITE', 'OPENAPI_READ', 'OPENAPI_WRITE',
];
type Kind = 'read' | 'all' | 'some';
const DAY_MS = 86_400_000;
const inWords = (scope: string): string => scope.toLowerCase().replaceAll('_', ' ');

function Row({ token }: { token: MyTokenFragment }) {
  const a = useAdminTexts();
  const { write, busy, error } = useWrite(REVOKE);
  const isOver = token.expiresAt !== null && Date.parse(token.expiresAt) < Date.now();
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <div className={admin.main}>
          <span className={ui.rowTitle}>
            <bdi>{token.label}</bdi> {token.revokedAt ? <Badge>{a.tokens.revoked}</Badge> : isOver ? <Badge>{a.tokens.expired}</Badge> : null}
          </span>
          <span className={ui.hint}>
            <Ago at={token.createdAt} /> · {token.lastUsedAt ? <>{a.tokens.used} <Ago at={token.lastUsedAt} /></> : a.tokens.neverUsed}
            {token.expiresAt ? <> · {a.tokens.until} {token.expiresAt.slice(0, 10)}</> : null}
          </span>
          <span className={ui.hint}>{token.scopes.map(inWords).join(', ')}</span>
        </div>
        {token.revokedAt ? null : (
          <Careful
            label={<>{a.revoke}<span className="hidden-text"> {token.label}</span></>} title={a.tokens.revokeTitle(token.label)} about={a.tokens.revokeAbout} action={a.revoke}
            onDo={() => write({ id: token.id })} busy={busy} error={error}
          />
        )}
      </div>
    </li>
  );
}

function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const a = useAdminTexts();
  const t = useTexts();
  const [label, setLabel, forget] = useDraft('new token');
  const [kind, setKind] = useState<Kind>('read');
  const [some, setSome] = useState<readonly TokenScope[]>([]);
  const [days, setDays] = useState<keyof typeof a.tokens.expiries>('90');
  const [secret, setSecret] = useState<string | null>(null);
  const { write, busy, error } = useWrite(CREATE);
  const close = (): void => {
    setSecret(null);
    onClose();
  };
  const send = async (): Promise<void> => {
    const scopes: TokenScope[] = kind === 'read' ? ['READ'] : kind === 'all' ? ['READ', 'WRITE'] : [...some];
    const expiresAt = days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const done = (await write({ input: { label: label.trim(), scopes, expiresAt } }))?.createToken;
    if (!done) return;
    forget(label);
    setSecret(done.text);
  };
  return (
    <FormDialog title={a.tokens.create} action={t.create} isOpen={isOpen} onClose={close} onSend={send} busy={busy} error={error} isDone={secret !== null} wide>
      {secret ? (
        <><Notice tone="warn" role="status">{a.tokens.shownOnce}</Notice><Secret text={secret} what={a.tokens.secret} /></>
      ) : (
        <>
          <Text label={a.tokens.label} hint={a.tokens.labelHint} value={label} onChange={setLabel} required autoFocus />
          <fieldset className={admin.form} style={{ border: 0, margin: 0, padding: 0 }}>
            <legend className={ui.label}>{a.tokens.rights}</legend>
            {(Object.keys(a.tokens.kinds) as Kind[]).map((key) => (
              <label key={key} className={admin.check}>
                <input type="radio" name="kind" checked={kind === key} onChange={() => setKind(key)} /><span>{a.tokens.kinds[key]}</span>
              </label>
            ))}
            {kind === 'some' ? (
              <div className={admin.scopes}>
                {FINE.map((scope) => (
                  <Tick key={scope} label={inWords(scope)} checked={some.includes(scope)} onChange={(is) => setSome(is ? [...some, scope] : some.filter((tokenScope) => tokenScope !== scope))} />
                ))}
              </div>
            ) : null}
          </fieldset>
          <Choice label={a.tokens.expiry} value={days} onChange={setDays} options={Object.entries(a.tokens.expiries) as Array<[typeof days, string]>} />
        </>
      )}
    </FormDialog>
  );
}

export default function TokensView() {
  const a = useAdminTexts();
  const list = useMore();
  const [creating, setCreating] = useState(false);
  const result = useRead(TOKENS, { first: list.first, after: list.after });
  useTitle(a.mine.tokens);
  return (
    <>
      <Head title={a.mine.tokens} lead={a.tokens.lead} />
      <div className={admin.toolbar}><Button look="primary" onPress={() => setCreating(true)}>{a.tokens.create}</Button></div>
      <Reading result={result} pick={(data) => data.viewer?.tokens}>
        {({ nodes, pageInfo }) => (
          <div className={views.section}>
            {nodes.length === 0 ? <Empty>{a.tokens.none}</Empty> : <ul className={ui.rows}>{nodes.map((token) => <Row key={token.id} token={token} />)}</ul>}
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
      <CreateDialog isOpen={creating} onClose={() => setCreating(false)} />
    </>
  );
}
