/** Members of an organization: what each may do and why, inviting, changing a role, removing. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { MemberRoleFilter, MemberRowFragment, Role } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { toSpace } from '../../place.ts';
import { useViewer } from '../../shell/viewer.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { Ago } from '../../texts/times.tsx';
import { Badge, Button, Empty, Face, More, ui } from '../../ui/ui.tsx';
import { Link } from 'wouter';
import { views } from '../../views/parts.tsx';
import { admin, Careful, Choice, TakenBack, Text, useRested } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';
import { InviteDialog } from './invite.tsx';
import { useReasonInWords } from './reasons.tsx';

export const MEMBER_ROW = graphql(`
  fragment MemberRow on Member {
    id userId role disabled sso joinedAt lastSeenAt spaces teams
    user { id displayName email }
  }
`);

const MEMBERS = graphql(`
  query Members($organization: ID!, $first: Int!, $after: String, $search: String, $role: MemberRoleFilter) {
    organization(id: $organization) {
      id
      members(first: $first, after: $after, search: $search, role: $role) {
        totalCount
        nodes { ...MemberRow }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const DETAILS = graphql(`
  query MemberDetails($organization: ID!, $user: ID!, $spaces: Int!, $afterSpaces: String, $teams: Int!, $afterTeams: String) {
    member(organizationId: $organization, userId: $user) {
      id
      spacePermissions(first: $spaces, after: $afterSpaces) {
        pageInfo { hasNextPage endCursor }
        nodes {
          permission
          space {
            id
            title
            effectiveRole(user: $user) {
              role
              reasons { ...Reason }
            }
          }
        }
      }
      teamMemberships(first: $teams, after: $afterTeams) { nodes { team { id title } membership { role } } pageInfo { hasNextPage endCursor } }
    }
  }
`);

const UPDATE = graphql(`
  mutation ChangeMember($organization: ID!, $user: ID!, $input: UpdateMemberInput!) {
    updateMember(organizationId: $organization, userId: $user, input: $input) { ...MemberRow }
  }
`);
const REMOVE = graphql(`
  mutation RemoveMember($organization: ID!, $user: ID!) {
    removeMember(organizationId: $organization, userId: $user) { userId }
  }
`);

export const ROLES: readonly Role[] = ['READ', 'COMMENT', 'EDIT', 'REVIEW', 'CREATE', 'ADMIN'];
const GUEST = 'GUEST';

function Details({ organization, user }: { organization: string; user: string }) {
  const a = useAdminTexts();
  const inWords = useReasonInWords();
  const spacesList = useMore(20, 200);
  const teamsList = useMore(20, 400);
  const result = useRead(DETAILS, { organization, user, spaces: spacesList.first, afterSpaces: spacesList.after, teams: teamsList.first, afterTeams: teamsList.after });
  return (
    <Reading result={result} pick={(data) => data.member}>
      {(member) => (
        <div className={admin.details}>
          <strong>{a.members.spaces}</strong>
          {member.spacePermissions.nodes.length === 0 ? <p>{a.members.noSpaces}</p> : (
            <ul className={admin.plainList}>
              {member.spacePermissions.nodes.map(({ space, permission }) => {
                const decides = space.effectiveRole?.reasons.filter((reason) => reason.decides) ?? [];
                return (
                  <li key={space.id}>
                    <Link href={toSpace(space.id)}><bdi>{space.title}</bdi></Link>: {a.roles[permission]}
                    {decides.length > 0 ? (
                      <span className={ui.hint}>
                        {' '}({decides.map(inWords).join(', ')})
                      </span>
                    ) : null}
                  </li>
                );
              })}
            </ul>
          )}
          <More list={spacesList} info={member.spacePermissions.pageInfo} what={a.members.spaces} />
          <strong>{a.members.teams}</strong>
          {member.teamMemberships.nodes.length === 0 ? <p>{a.members.noTeams}</p> : (
            <ul className={admin.plainList}>
              {member.teamMemberships.nodes.map(({ team, membership }) => (
                <li key={team.id}><bdi>{team.title}</bdi> <span className={ui.hint}>({a.teams.roles[membership.role]})</span></li>
              ))}
            </ul>
          )}
          <More list={teamsList} info={member.teamMemberships.pageInfo} what={a.members.teams} />
        </div>
      )}
    </Reading>
  );
}

function Row({ organization, member }: { organization: Organization; member: MemberRowFragment }) {
  const a = useAdminTexts();
  const viewer = useViewer();
  const updating = useWrite(UPDATE);
  const removing = useWrite(REMOVE);
  const [pending, setPending] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const name = member.user.displayName;
  const role = pending ?? member.role ?? GUEST;
  const of = { organization: organization.id, user: member.userId };
  // The new role is there at once, and taken back with the reason when it is refused.
  const become = async (next: string): Promise<void> => {
    setPending(next);
    await updating.write({ ...of, input: { role: next === GUEST ? null : (next as Role) } });
    setPending(null);
  };
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <Face name={name} />
        <div className={admin.main}>
          <span className={ui.rowTitle}>
            <bdi>{name}</bdi>{member.userId === viewer.id ? ` (${a.members.you})` : ''}{' '}
            {member.disabled ? <Badge tone="warn">{a.members.disabled}</Badge> : null}
          </span>
          <span className={ui.hint}>
            {member.user.email ? <><bdi>{member.user.email}</bdi> · </> : null}{a.members.joined} <Ago at={member.joinedAt} />
            {member.lastSeenAt ? <> · {a.members.seen} <Ago at={member.lastSeenAt} /></> : null}
            {member.sso ? ` · ${a.members.sso}` : ''}
          </span>
        </div>
        <div className={admin.side}>
          {organization.permissions.admin ? (
            <Choice
              isHidden label={a.members.roleOf(name)} value={role} isDisabled={updating.busy}
              options={[...ROLES, GUEST].map((role) => [role, a.roles[role] ?? role] as const)}
              onChange={(next) => void become(next)}
            />
          ) : <Badge>{a.roles[role]}</Badge>}
          <Button look="plain" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>{isOpen ? a.hideDetails : a.details}<span className="hidden-text"> {name}</span></Button>
          {organization.permissions.admin ? (
            <Careful
              label={<>{a.remove}<span className="hidden-text"> {name}</span></>}
              title={a.members.removeTitle(name)} about={a.members.removeAbout} action={a.remove}
              onDo={() => removing.write(of)} busy={removing.busy} error={removing.error}
            />
          ) : null}
        </div>
      </div>
      {isOpen ? <><p className={ui.hint}>{a.roles[role]}: {a.roleAbout[role]}</p><Details organization={organization.id} user={member.userId} /></> : null}
      <TakenBack error={updating.error} />
    </li>
  );
}

export default function MembersView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const [role, setRole] = useState('');
  const [inviting, setInviting] = useState(false);
  const search = useRested(words.trim());
  const list = useMore(undefined, undefined, `${role} ${search}`);
  const result = useRead(MEMBERS, {
    organization: organization.id, first: list.first, after: list.after, search: search || null, role: (role || null) as MemberRoleFilter | null,
  });
  return (
    <>
      <AdminHead organization={organization} area="people" lead={a.members.lead} />
      <div className={admin.toolbar}>
        <div className={admin.grow}><Text type="search" label={a.members.search} value={words} onChange={setWords} /></div>
        <Choice
          label={a.members.role} value={role} onChange={setRole}
          options={[['', a.members.anyRole], ...[...ROLES, GUEST].map((role) => [role, a.roles[role] ?? role] as const)]}
        />
        {organization.permissions.admin ? (
          <span className={admin.push}><Button look="primary" onPress={() => setInviting(true)}>{a.members.invite}</Button></span>
        ) : null}
      </div>
      <Reading result={result} pick={(data) => data.organization?.members}>
        {(members) => (
          <div className={views.section}>
            <p className={ui.hint} role="status">{a.members.total(members.totalCount)}</p>
            {members.nodes.length === 0 ? <Empty>{a.members.none}</Empty> : (
              <ul className={ui.rows}>{members.nodes.map((member) => <Row key={member.id} organization={organization} member={member} />)}</ul>
            )}
            <More list={list} info={members.pageInfo} />
          </div>
        )}
      </Reading>
      <InviteDialog organization={organization.id} isOpen={inviting} onClose={() => setInviting(false)} />
    </>
  );
}
