/** Invitations that are open, and links by which people join. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { InvitationRowFragment, Role } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Ago } from '../../texts/times.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, More, ui } from '../../ui/ui.tsx';
import { views } from '../../views/parts.tsx';
import { admin, Careful, Choice, Said, Secret, TakenBack } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';
import { InviteDialog } from './invite.tsx';
import { ROLES } from './members.tsx';

export const INVITATION_ROW = graphql(`
  fragment InvitationRow on Invitation {
    id email role state url createdAt expiresAt
    inviter { id displayName }
    space { id title }
    collection { id title }
  }
`);

const INVITATIONS = graphql(`
  query Invitations($organization: ID!, $first: Int!, $after: String, $links: Int!, $afterLinks: String) {
    organization(id: $organization) {
      id
      inviteLinks
      sent: invitations(first: $first, after: $after, kind: EMAIL) { nodes { ...InvitationRow } pageInfo { hasNextPage endCursor } }
      links: invitations(first: $links, after: $afterLinks, kind: LINK) { nodes { ...InvitationRow } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const CREATE = graphql(`
  mutation CreateInviteLink($organization: ID!, $input: CreateInviteInput!) {
    createOrganizationInvite(organizationId: $organization, input: $input) { ...InvitationRow }
  }
`);
const CHANGE = graphql(`
  mutation ChangeInvitation($id: ID!, $input: UpdateInviteInput!) { updateInvitation(id: $id, input: $input) { ...InvitationRow } }
`);
const AGAIN = graphql(`
  mutation SendInvitationAgain($id: ID!) { resendInvitation(id: $id) { url invitation { ...InvitationRow } } }
`);
const REVOKE = graphql(`
  mutation RevokeInvitation($id: ID!) { deleteInvitation(id: $id) { deletedId } }
`);

function Row({ invitation }: { invitation: InvitationRowFragment }) {
  const a = useAdminTexts();
  const t = useTexts();
  const again = useWrite(AGAIN);
  const revoking = useWrite(REVOKE);
  const changing = useWrite(CHANGE);
  const [pending, setPending] = useState<Role | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const isLink = invitation.email === null;
  const role = pending ?? invitation.role;
  const name = invitation.email ?? a.invitations.someoneWithLink;
  const isOpen = invitation.state === 'OPEN';
  const become = async (next: Role): Promise<void> => {
    setPending(next);
    await changing.write({ id: invitation.id, input: { role: next } });
    setPending(null);
  };
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <div className={admin.main}>
          <span className={ui.rowTitle}><bdi>{name}</bdi> {isOpen ? null : <Badge tone="warn">{a.invitations.states[invitation.state]}</Badge>}</span>
          <span className={ui.hint}>
            <Ago at={invitation.createdAt} />
            {invitation.inviter ? <> · <bdi>{a.invitations.by(invitation.inviter.displayName)}</bdi></> : null}
            {invitation.space ?? invitation.collection ? <> · {a.invitations.into} <bdi>{(invitation.space ?? invitation.collection)?.title}</bdi></> : null}
            {invitation.expiresAt ? <> · {a.invitations.expires} <Ago at={invitation.expiresAt} /></> : null}
          </span>
        </div>
        <div className={admin.side}>
          {role === null ? null : (
            <Choice isHidden label={a.members.roleOf(name)} value={role} isDisabled={changing.busy || !isOpen} options={ROLES.map((option) => [option, a.roles[option] ?? option] as const)} onChange={(next) => void become(next)} />
          )}
          {isLink ? null : (
            <Button look="plain" isDisabled={again.busy} onPress={() => void again.write({ id: invitation.id }).then((done) => setLink(done?.resendInvitation?.url ?? null))}>{a.invitations.again}<span className="hidden-text"> {name}</span></Button>
          )}
          <Careful
            label={<>{a.revoke}<span className="hidden-text"> {name}</span></>} title={a.invitations.revokeTitle} about={a.invitations.revokeAbout} action={a.revoke}
            onDo={() => revoking.write({ id: invitation.id })} busy={revoking.busy} error={revoking.error}
          />
        </div>
      </div>
      {isLink && isOpen && invitation.url ? <Secret text={invitation.url} what={a.invitations.linkFor(a.roles[role ?? 'GUEST'] ?? '')} /> : null}
      {link ? <><Said>{a.invitations.sentAgain}</Said><Secret text={link} what={name} /><div><Button onPress={() => setLink(null)}>{t.close}</Button></div></> : null}
      <TakenBack error={changing.error} />
      <FailureNotice error={again.error} />
    </li>
  );
}

function LinkDialog({ organization, isOpen, onClose }: { organization: string; isOpen: boolean; onClose: () => void }) {
  const a = useAdminTexts();
  const [role, setRole] = useState<Role>('READ');
  const { write, busy, error } = useWrite(CREATE);
  return (
    <FormDialog
      title={a.invitations.createLink} action={a.add} isOpen={isOpen} onClose={onClose} busy={busy} error={error}
      onSend={async () => {
        if (await write({ organization, input: { role } })) onClose();
      }}
    >
      <p>{a.invitations.linkAbout}</p>
      <Choice label={a.invite.role} value={role} onChange={setRole} options={ROLES.map((option) => [option, `${a.roles[option]}: ${a.roleAbout[option]}`] as const)} />
    </FormDialog>
  );
}

export default function InvitationsView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const list = useMore();
  const linksList = useMore();
  const [open, setOpen] = useState<'people' | 'link' | null>(null);
  const result = useRead(INVITATIONS, { organization: organization.id, first: list.first, after: list.after, links: linksList.first, afterLinks: linksList.after });
  const close = (): void => setOpen(null);
  return (
    <>
      <AdminHead organization={organization} area="invitations" lead={a.invitations.lead} />
      <Reading result={result} pick={(data) => data.organization}>
        {({ sent, links, inviteLinks }) => (
          <>
            <section className={views.section}>
              <h2>{a.invitations.sent}</h2>
              <div><Button look="primary" onPress={() => setOpen('people')}>{a.members.invite}</Button></div>
              {sent.nodes.length === 0 ? <Empty>{a.invitations.noneSent}</Empty> : (
                <ul className={ui.rows}>{sent.nodes.map((invitation) => <Row key={invitation.id} invitation={invitation} />)}</ul>
              )}
              <More list={list} info={sent.pageInfo} what={a.invitations.sent} />
            </section>
            <section className={views.section}>
              <h2>{a.invitations.links}</h2>
              {inviteLinks ? <div><Button onPress={() => setOpen('link')}>{a.invitations.createLink}</Button></div> : <p className={ui.hint}>{a.invitations.linksAreOff}</p>}
              {links.nodes.length === 0 ? <Empty>{a.invitations.noLinks}</Empty> : (
                <ul className={ui.rows}>{links.nodes.map((invitation) => <Row key={invitation.id} invitation={invitation} />)}</ul>
              )}
              <More list={linksList} info={links.pageInfo} what={a.invitations.links} />
            </section>
          </>
        )}
      </Reading>
      <InviteDialog organization={organization.id} isOpen={open === 'people'} onClose={close} />
      <LinkDialog organization={organization.id} isOpen={open === 'link'} onClose={close} />
    </>
  );
}
