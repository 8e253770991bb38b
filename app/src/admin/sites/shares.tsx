/** Links that open a site for who has them. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { ShareRowFragment } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Ago } from '../../texts/times.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, More, Notice, ui } from '../../ui/ui.tsx';
import { admin, Careful, Secret, TakenBack, Text } from '../kit.tsx';
import type { PartOfSite } from './site.tsx';

export const SHARE_ROW = graphql(`
  fragment ShareRow on ShareLink { id name active createdAt urls { published } }
`);
const SHARES = graphql(`
  query ShareLinks($id: ID!, $first: Int!, $after: String) {
    site(id: $id) { id shareLinks(first: $first, after: $after) { nodes { ...ShareRow } pageInfo { hasNextPage endCursor } } }
  }
`);
const CREATE = graphql(`
  mutation CreateShareLink($site: ID!, $input: CreateShareLinkInput!) { createShareLink(siteId: $site, input: $input) { ...ShareRow } }
`);
const UPDATE = graphql(`
  mutation ChangeShareLink($id: ID!, $input: UpdateShareLinkInput!) { updateShareLink(id: $id, input: $input) { ...ShareRow } }
`);
const REVOKE = graphql(`
  mutation RevokeShareLink($id: ID!) { deleteShareLink(id: $id) { deletedId } }
`);

function Row({ link, mayEdit }: { link: ShareRowFragment; mayEdit: boolean }) {
  const a = useAdminTexts();
  const updating = useWrite(UPDATE);
  const revoking = useWrite(REVOKE);
  const [pending, setPending] = useState<boolean | null>(null);
  const isActive = pending ?? link.active;
  const turn = async (): Promise<void> => {
    setPending(!isActive);
    await updating.write({ id: link.id, input: { active: !isActive } });
    setPending(null);
  };
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <div className={admin.main}>
          <span className={ui.rowTitle}><bdi>{link.name}</bdi> {isActive ? null : <Badge>{a.shares.off}</Badge>}</span>
          <span className={ui.hint}><Ago at={link.createdAt} /></span>
        </div>
        {mayEdit ? (
          <div className={admin.side}>
            <Button look="plain" isDisabled={updating.busy} onPress={() => void turn()}>{isActive ? a.shares.switchOff : a.shares.switchOn}<span className="hidden-text"> {link.name}</span></Button>
            <Careful
              label={<>{a.revoke}<span className="hidden-text"> {link.name}</span></>} title={a.shares.revokeTitle(link.name)} about={a.shares.revokeAbout} action={a.revoke}
              onDo={() => revoking.write({ id: link.id })} busy={revoking.busy} error={revoking.error}
            />
          </div>
        ) : null}
      </div>
      {link.urls.published && isActive ? <Secret text={link.urls.published} what={link.name} /> : null}
      <TakenBack error={updating.error} />
    </li>
  );
}

export default function Shares({ site }: PartOfSite) {
  const a = useAdminTexts();
  const t = useTexts();
  const list = useMore();
  const [creating, setCreating] = useState(false);
  const [name, setName, forget] = useDraft(`share ${site.id}`);
  const result = useRead(SHARES, { id: site.id, first: list.first, after: list.after });
  const { write, busy, error } = useWrite(CREATE);
  return (
    <div className={admin.form}>
      <p className={ui.hint}>{a.shares.about}</p>
      {site.visibility === 'SHARE_LINK' ? null : <Notice tone="warn">{a.shares.notUsed}</Notice>}
      {site.permissions.edit ? <div><Button look="primary" onPress={() => setCreating(true)}>{a.shares.create}</Button></div> : null}
      <Reading result={result} pick={(data) => data.site?.shareLinks}>
        {({ nodes, pageInfo }) => (
          <>
            {nodes.length === 0 ? <Empty>{a.shares.none}</Empty> : <ul className={ui.rows}>{nodes.map((link) => <Row key={link.id} link={link} mayEdit={site.permissions.edit} />)}</ul>}
            <More list={list} info={pageInfo} />
          </>
        )}
      </Reading>
      <FormDialog
        title={a.shares.create} action={t.create} isOpen={creating} onClose={() => setCreating(false)} busy={busy} error={error}
        onSend={async () => {
          if (!(await write({ site: site.id, input: { name: name.trim() } }))) return;
          forget(name);
          setCreating(false);
        }}
      >
        <Text label={a.shares.forWhom} value={name} onChange={setName} required autoFocus />
      </FormDialog>
    </div>
  );
}
