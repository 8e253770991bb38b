/** Teams of an organization and who is in them. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { TeamMemberRole, TeamRowFragment } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, Face, More, ui } from '../../ui/ui.tsx';
import { views } from '../../views/parts.tsx';
import { admin, Careful, Choice, TakenBack, Text } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';
import { PersonPicker } from './picker.tsx';

export const TEAM_ROW = graphql(`
  fragment TeamRow on Team { id title memberCount spaceCount permissions { admin } }
`);
const TEAMS = graphql(`
  query Teams($organization: ID!, $first: Int!, $after: String) {
    organization(id: $organization) { id teams(first: $first, after: $after) { nodes { ...TeamRow } pageInfo { hasNextPage endCursor } } }
  }
`);
const MEMBERS = graphql(`
  query TeamMembers($id: ID!, $first: Int!, $after: String) {
    team(id: $id) {
      id
      members(first: $first, after: $after) { nodes { userId user { id displayName } membership { role } } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const CREATE = graphql(`
  mutation CreateTeam($organization: ID!, $input: CreateTeamInput!) { createTeam(organizationId: $organization, input: $input) { ...TeamRow } }
`);
const UPDATE = graphql(`
  mutation RenameTeam($id: ID!, $input: UpdateTeamInput!) { updateTeam(id: $id, input: $input) { ...TeamRow } }
`);
const DELETE = graphql(`
  mutation DeleteTeam($id: ID!) { deleteTeam(id: $id) { deletedId } }
`);
const SET = graphql(`
  mutation SetTeamMember($team: ID!, $user: ID!, $input: SetTeamMemberInput!) {
    setTeamMember(teamId: $team, userId: $user, input: $input) { userId membership { role } }
  }
`);
const TAKE_OUT = graphql(`
  mutation TakeOutOfTeam($team: ID!, $user: ID!) { removeTeamMember(teamId: $team, userId: $user) { userId } }
`);

function Members({ organization, team }: { organization: Organization; team: TeamRowFragment }) {
  const a = useAdminTexts();
  const list = useMore();
  const result = useRead(MEMBERS, { id: team.id, first: list.first, after: list.after });
  const setting = useWrite(SET);
  const taking = useWrite(TAKE_OUT);
  const [pending, setPending] = useState<{ user: string; role: TeamMemberRole } | null>(null);
  const mayChange = team.permissions.admin;
  const become = async (user: string, role: TeamMemberRole): Promise<void> => {
    setPending({ user, role });
    await setting.write({ team: team.id, user, input: { role } });
    setPending(null);
  };
  return (
    <Reading result={result} pick={(data) => data.team?.members}>
      {({ nodes, pageInfo }) => (
        <div className={admin.details}>
          {nodes.length === 0 ? <p>{a.teams.noMembers}</p> : (
            <ul className={admin.plainList}>
              {nodes.map(({ user, membership }) => (
                <li key={user.id} className={admin.line}>
                  <Face name={user.displayName} />
                  <span className={admin.main}><bdi>{user.displayName}</bdi></span>
                  {mayChange ? (
                    <>
                      <Choice
                        isHidden label={a.teams.roleOf(user.displayName)} isDisabled={setting.busy}
                        value={pending?.user === user.id ? pending.role : membership.role}
                        options={(['MEMBER', 'OWNER'] as const).map((role) => [role, a.teams.roles[role] ?? role] as const)}
                        onChange={(role) => void become(user.id, role)}
                      />
                      <Button look="plain" aria-label={a.teams.removeFrom(user.displayName)} isDisabled={taking.busy} onPress={() => void taking.write({ team: team.id, user: user.id })}>{a.remove}</Button>
                    </>
                  ) : <Badge>{a.teams.roles[membership.role]}</Badge>}
                </li>
              ))}
            </ul>
          )}
          <More list={list} info={pageInfo} what={team.title} />
          {mayChange ? <PersonPicker organization={organization.id} label={a.teams.addMember} isDisabled={setting.busy} onPick={(user) => void become(user, 'MEMBER')} /> : null}
          <TakenBack error={setting.error} />
          <FailureNotice error={taking.error} />
        </div>
      )}
    </Reading>
  );
}

function TitleDialog({ title, name, action, isOpen, onClose, onSend, busy, error, before }: {
  title: string; name: string; action: string; isOpen: boolean; onClose: () => void; onSend: (title: string) => Promise<unknown>;
  busy: boolean; error: Parameters<typeof FailureNotice>[0]['error']; before?: string;
}) {
  const a = useAdminTexts();
  const [text, setText, forget] = useDraft(name);
  const value = text || (before ?? '');
  return (
    <FormDialog
      title={title} action={action} isOpen={isOpen} onClose={onClose} busy={busy} error={error}
      onSend={async () => {
        if (!(await onSend(value.trim()))) return;
        forget(text);
        onClose();
      }}
    >
      <Text label={a.title} value={value} onChange={setText} required autoFocus />
    </FormDialog>
  );
}

function Row({ organization, team }: { organization: Organization; team: TeamRowFragment }) {
  const a = useAdminTexts();
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const updating = useWrite(UPDATE);
  const deleting = useWrite(DELETE);
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <div className={admin.main}>
          <span className={ui.rowTitle}><bdi>{team.title}</bdi></span>
          <span className={ui.hint}>{a.teams.members(team.memberCount)} · {a.teams.spaces(team.spaceCount)}</span>
        </div>
        <div className={admin.side}>
          <Button look="plain" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>{isOpen ? a.hideDetails : a.details}<span className="hidden-text"> {team.title}</span></Button>
          {team.permissions.admin ? (
            <>
              <Button look="plain" onPress={() => setRenaming(true)}>{a.rename}<span className="hidden-text"> {team.title}</span></Button>
              <Careful
                label={<>{t.delete}<span className="hidden-text"> {team.title}</span></>} title={a.teams.deleteTitle(team.title)} about={a.teams.deleteAbout} action={t.delete}
                onDo={() => deleting.write({ id: team.id })} busy={deleting.busy} error={deleting.error}
              />
            </>
          ) : null}
        </div>
      </div>
      {isOpen ? <Members organization={organization} team={team} /> : null}
      <TitleDialog
        title={a.rename} name={`team ${team.id}`} before={team.title} action={t.save} isOpen={renaming} onClose={() => setRenaming(false)}
        busy={updating.busy} error={updating.error} onSend={(title) => updating.write({ id: team.id, input: { title } })}
      />
    </li>
  );
}

export default function TeamsView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const t = useTexts();
  const list = useMore();
  const [creating, setCreating] = useState(false);
  const result = useRead(TEAMS, { organization: organization.id, first: list.first, after: list.after });
  const { write, busy, error } = useWrite(CREATE);
  return (
    <>
      <AdminHead organization={organization} area="teams" lead={a.teams.lead} />
      {organization.permissions.admin ? (
        <div className={admin.toolbar}><Button look="primary" onPress={() => setCreating(true)}>{a.teams.create}</Button></div>
      ) : null}
      <Reading result={result} pick={(data) => data.organization?.teams}>
        {({ nodes, pageInfo }) => (
          <div className={views.section}>
            {nodes.length === 0 ? <Empty>{a.teams.none}</Empty> : (
              <ul className={ui.rows}>{nodes.map((team) => <Row key={team.id} organization={organization} team={team} />)}</ul>
            )}
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
      <TitleDialog
        title={a.teams.create} name={`new team ${organization.id}`} action={t.create} isOpen={creating} onClose={() => setCreating(false)}
        busy={busy} error={error} onSend={(title) => write({ organization: organization.id, input: { title } })}
      />
    </>
  );
}
