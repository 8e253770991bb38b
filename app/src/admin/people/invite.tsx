/** Inviting people by their addresses; what is typed survives a reload. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { InvitePeopleMutation, Role } from '../../graph/generated/graphql.ts';
import { useWrite } from '../../graph/write.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/ui.tsx';
import { admin, Choice, Said, Secret, Text } from '../kit.tsx';
import { ROLES } from './members.tsx';

const INVITE = graphql(`
  mutation InvitePeople($organization: ID!, $input: InviteUsersInput!) {
    inviteUsersToOrganization(organizationId: $organization, input: $input) {
      invited
      members { id user { id displayName } }
      invitations { url invitation { id email } }
      failedSSOEmails
    }
  }
`);

type Sent = NonNullable<InvitePeopleMutation['inviteUsersToOrganization']>;

function Outcome({ sent }: { sent: Sent }) {
  const a = useAdminTexts();
  const links = sent.invitations.filter((invitation) => invitation.url);
  return (
    <>
      <Said>{a.invite.done(sent.invited)}</Said>
      {sent.members.length > 0 ? <p>{a.invite.added(sent.members.map((member) => member.user.displayName).join(', '))}</p> : null}
      {sent.failedSSOEmails?.length ? <Notice tone="warn">{a.invite.failed(sent.failedSSOEmails.join(', '))}</Notice> : null}
      {links.length > 0 ? (
        <div className={admin.form}>
          <p>{a.invite.links}</p>
          {links.map(({ url, invitation }) => (
            <div key={invitation.id}><bdi>{invitation.email}</bdi><Secret text={url ?? ''} what={invitation.email ?? ''} /></div>
          ))}
        </div>
      ) : null}
    </>
  );
}

export function InviteDialog({ organization, isOpen, onClose }: { organization: string; isOpen: boolean; onClose: () => void }) {
  const a = useAdminTexts();
  const [text, setText, forget] = useDraft(`invite ${organization}`);
  const [role, setRole] = useState<Role>('EDIT');
  const [sent, setSent] = useState<Sent | null>(null);
  const { write, busy, error } = useWrite(INVITE, false);
  const close = (): void => {
    setSent(null);
    onClose();
  };
  const send = async (): Promise<void> => {
    const emails = text.split(/[\s,;]+/u).filter(Boolean).map((email) => ({ email }));
    if (emails.length === 0) return;
    const done = (await write({ organization, input: { emails, role } }))?.inviteUsersToOrganization;
    if (!done) return;
    forget(text);
    setSent(done);
  };
  return (
    <FormDialog title={a.members.invite} action={a.invite.send} isOpen={isOpen} onClose={close} onSend={send} busy={busy} error={error} isDone={sent !== null} wide>
      {sent ? <Outcome sent={sent} /> : (
        <>
          <Text label={a.invite.emails} hint={a.invite.emailsHint} lines={4} value={text} onChange={setText} required autoFocus />
          <Choice label={a.invite.role} value={role} onChange={setRole} options={ROLES.map((role) => [role, `${a.roles[role]}: ${a.roleAbout[role]}`] as const)} />
        </>
      )}
    </FormDialog>
  );
}
