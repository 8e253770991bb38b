/** Who may do what in a space or a collection and why; giving roles to people and teams, and taking them back. */

import { useState } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { DefaultLevel, Role } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { awaiting, isAnswered, Reading, useRead } from '../graph/reading.tsx';
import { useWrite } from '../graph/write.ts';
import { useFollowing } from '../live/follow.ts';
import { toCollection, toOrganization, toSpace } from '../place.ts';
import { useViewer } from '../shell/viewer.tsx';
import type { SpaceFrame } from '../space/routes.tsx';
import { useAdminTexts } from '../texts/admin/index.ts';
import { FailureNotice } from '../ui/failure.tsx';
import { useTitle } from '../ui/title.ts';
import { Badge, Button, Empty, Face, More, ui } from '../ui/ui.tsx';
import { type Crumb, Head, views } from '../views/parts.tsx';
import { OF_COLLECTION, OF_SPACE } from './access-writes.ts';
import { admin, Choice, TakenBack } from './kit.tsx';
import { ROLES } from './people/members.tsx';
import { PersonPicker, TeamPicker } from './people/picker.tsx';
import { Reasons } from './people/reasons.tsx';

const ACCESS = graphql(`
  query Access($id: ID!, $isSpace: Boolean!, $people: Int!, $after: String) {
    space(id: $id) @include(if: $isSpace) {
      id
      effectiveRole { role reasons { ...Reason } }
      people(first: $people, after: $after) { nodes { role user { id displayName } } pageInfo { hasNextPage endCursor } }
    }
    collection(id: $id) @skip(if: $isSpace) {
      id
      effectiveRole { role reasons { ...Reason } }
      people(first: $people, after: $after) { nodes { role user { id displayName } } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const GIVEN = graphql(`
  query Grants($id: ID!, $isSpace: Boolean!, $users: Int!, $afterUsers: String, $teams: Int!, $afterTeams: String) {
    space(id: $id) @include(if: $isSpace) {
      id
      defaultLevel
      userGrants(first: $users, after: $afterUsers) { nodes { role user { id displayName } } pageInfo { hasNextPage endCursor } }
      teamGrants(first: $teams, after: $afterTeams) { nodes { role team { id title } } pageInfo { hasNextPage endCursor } }
    }
    collection(id: $id) @skip(if: $isSpace) {
      id
      defaultLevel
      userGrants(first: $users, after: $afterUsers) { nodes { role user { id displayName } } pageInfo { hasNextPage endCursor } }
      teamGrants(first: $teams, after: $afterTeams) { nodes { role team { id title } } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const WHY = graphql(`
  query WhyRole($id: ID!, $isSpace: Boolean!, $user: ID!) {
    space(id: $id) @include(if: $isSpace) { id effectiveRole(user: $user) { role reasons { ...Reason } } }
    collection(id: $id) @skip(if: $isSpace) { id effectiveRole(user: $user) { role reasons { ...Reason } } }
  }
`);
const COLLECTION = graphql(`
  query CollectionAccess($id: ID!) {
    collection(id: $id) { id title effectiveRole { role } organization { id title events(last: 1) { nodes { id } } } }
  }
`);

/** What roles are given on. */
export interface Place {
  readonly kind: 'space' | 'collection';
  readonly id: string;
  readonly organization: string;
  /** What whoever looks at it may do there. */
  readonly role: Role | null;
}

const isSpace = ({ kind }: Place): boolean => kind === 'space';
const writesOf = (on: Place) => (isSpace(on) ? OF_SPACE : OF_COLLECTION);

/** "No access" is a role that can be given, too: whatever is inherited. */
const NONE = 'NONE';
type Given = Role | typeof NONE;
const roleOf = (choice: Given): Role | null => (choice === NONE ? null : choice);
const GIVERS = new Set<unknown>(['CREATE', 'ADMIN']);

/** Nobody gives a role above their own; `has` is the one that somebody has, whoever gave it. */
function useRoles(on: Place, has?: Given | DefaultLevel | null): ReadonlyArray<readonly [Given, string]> {
  const a = useAdminTexts();
  const roles = ROLES.filter((role) => role !== 'ADMIN' || has === role || on.role === role);
  return [...roles.map((role) => [role, a.roles[role] ?? role] as const), [NONE, a.access.noAccess]];
}

/** What a person or a team was given on the place itself. */
function Grant({ on, id, name, role, isTeam }: { on: Place; id: string; name: string; role: Role | null; isTeam: boolean }) {
  const a = useAdminTexts();
  const roles = useRoles(on, role);
  // Nor takes what they could not give.
  const isAbove = role === 'ADMIN' && on.role !== role;
  const writes = writesOf(on);
  const setting = useWrite(isTeam ? writes.setTeam : writes.setUser);
  const taking = useWrite(isTeam ? writes.takeTeam : writes.takeUser);
  const [pending, setPending] = useState<Given | null>(null);
  const become = async (next: Given): Promise<void> => {
    setPending(next);
    await setting.write({ on: on.id, id, input: { role: roleOf(next) } });
    setPending(null);
  };
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        {isTeam ? null : <Face name={name} />}
        <span className={admin.main}><span className={ui.rowTitle}><bdi>{name}</bdi>{isTeam ? <> <Badge>{a.access.team}</Badge></> : null}</span></span>
        {isAbove ? <div className={admin.side}><Badge>{a.roles[role]}</Badge></div> : (
          <div className={admin.side}>
            <Choice isHidden label={a.members.roleOf(name)} value={pending ?? role ?? NONE} isDisabled={setting.busy} options={roles} onChange={(next) => void become(next)} />
            <Button look="plain" isDisabled={taking.busy} onPress={() => void taking.write({ on: on.id, id })}>{a.remove}<span className="hidden-text"> {name}</span></Button>
          </div>
        )}
      </div>
      <TakenBack error={setting.error} />
      <FailureNotice error={taking.error} />
    </li>
  );
}

function useGrants(on: Place, mayGive: boolean) {
  const users = useMore();
  const teams = useMore();
  const result = useRead(GIVEN, { id: on.id, isSpace: isSpace(on), users: users.first, afterUsers: users.after, teams: teams.first, afterTeams: teams.after }, !mayGive);
  return { users, teams, result };
}

/** For whoever may give roles: what everybody has, what was given here, and giving more. */
function Giving({ on, grants: { users, teams, result } }: { on: Place; grants: ReturnType<typeof useGrants> }) {
  const a = useAdminTexts();
  const writes = writesOf(on);
  const place = result.data?.space ?? result.data?.collection;
  const roles = useRoles(on);
  const levels = useRoles(on, place?.defaultLevel);
  const giving = useWrite(writes.give);
  const leveling = useWrite(writes.setLevel);
  const [role, setRole] = useState<Given>('EDIT');
  const [level, setLevel] = useState<DefaultLevel | typeof NONE | null>(null);
  const give = (input: { users?: string[]; teams?: string[] }): void => void giving.write({ on: on.id, input: { ...input, role: roleOf(role) } });
  const open = async (next: DefaultLevel | typeof NONE): Promise<void> => {
    setLevel(next);
    await leveling.write({ on: on.id, level: next === NONE ? null : next });
    setLevel(null);
  };
  return (
    <Reading result={result} pick={() => place}>
      {({ defaultLevel, userGrants, teamGrants }) => {
        const [ofUsers, ofTeams] = [userGrants?.nodes ?? [], teamGrants?.nodes ?? []];
        return (
          <>
            <section className={views.section}>
              <h2>{a.access.everybody}</h2>
              <div className={admin.toolbar}>
                <Choice label={a.access.level} value={level ?? defaultLevel ?? NONE} isDisabled={leveling.busy} options={[['INHERIT' as const, a.access.inherit], ...levels]} onChange={(next) => void open(next)} />
              </div>
              <TakenBack error={leveling.error} />
            </section>
            <section className={views.section}>
              <h2>{a.access.given}</h2>
              <div className={admin.toolbar}>
                <Choice label={a.access.role} value={role} onChange={setRole} options={roles} />
                <PersonPicker organization={on.organization} label={a.access.addPerson} isDisabled={giving.busy} onPick={(user) => give({ users: [user] })} />
                <TeamPicker organization={on.organization} label={a.access.addTeam} isDisabled={giving.busy} onPick={(team) => give({ teams: [team] })} />
              </div>
              <FailureNotice error={giving.error} />
              {ofUsers.length + ofTeams.length === 0 ? <Empty>{a.access.noneGiven}</Empty> : (
                <ul className={ui.rows}>
                  {ofTeams.map(({ team, role: has }) => <Grant key={team.id} on={on} id={team.id} name={team.title} role={has} isTeam />)}
                  {ofUsers.map(({ user, role: has }) => <Grant key={user.id} on={on} id={user.id} name={user.displayName} role={has} isTeam={false} />)}
                </ul>
              )}
              <More list={teams} info={teamGrants?.pageInfo} what={a.access.teams} />
              <More list={users} info={userGrants?.pageInfo} what={a.access.given} />
            </section>
          </>
        );
      }}
    </Reading>
  );
}

function Why({ on, user }: { on: Place; user: string }) {
  const result = useRead(WHY, { id: on.id, isSpace: isSpace(on), user });
  return (
    <Reading result={result} pick={({ space, collection }) => (space ?? collection)?.effectiveRole}>
      {({ reasons }) => <div className={admin.details}><Reasons reasons={reasons} /></div>}
    </Reading>
  );
}

function PersonRow({ on, user, role, mayAsk }: { on: Place; user: { id: string; displayName: string }; role: Role; mayAsk: boolean }) {
  const a = useAdminTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <Face name={user.displayName} />
        <span className={`${admin.main} ${admin.short}`}><bdi>{user.displayName}</bdi></span>
        <div className={admin.side}>
          <Badge>{a.roles[role]}</Badge>
          {mayAsk ? <Button look="plain" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>{a.members.why}<span className="hidden-text"> {user.displayName}</span></Button> : null}
        </div>
      </div>
      {isOpen ? <Why on={on} user={user.id} /> : null}
    </li>
  );
}

export function AccessView({ on, title, crumbs }: { on: Place; title: string; crumbs: readonly Crumb[] }) {
  const a = useAdminTexts();
  const viewer = useViewer();
  const people = useMore();
  const result = useRead(ACCESS, { id: on.id, isSpace: isSpace(on), people: people.first, after: people.after });
  const mayGive = GIVERS.has(on.role);
  const grants = useGrants(on, mayGive);
  // What stands below it comes with it, and stays where it is.
  const isKnown = !mayGive || isAnswered(grants.result);
  useTitle(`${a.access.title} | ${title}`);
  return (
    <>
      <Head title={a.access.title} crumbs={crumbs} lead={a.access.leads[on.kind]} />
      <Reading result={isKnown ? result : awaiting(result)} pick={({ space, collection }) => space ?? collection}>
        {({ effectiveRole, people: all }) => (
          <>
            {effectiveRole?.role ? (
              <section className={views.section}>
                <h2>{a.access.yours}</h2>
                <p><Badge tone="accent">{a.roles[effectiveRole.role]}</Badge> <span className={ui.hint}>{a.roleAbout[effectiveRole.role]}</span></p>
                <Reasons reasons={effectiveRole.reasons} />
              </section>
            ) : null}
            {mayGive ? <Giving on={on} grants={grants} /> : <section className={views.section}><p className={ui.hint}>{a.access.notYours}</p></section>}
            <section className={views.section}>
              <h2>{a.access.people}</h2>
              <ul className={ui.rows}>
                {all.nodes.map(({ user, role }) => <PersonRow key={user.id} on={on} user={user} role={role} mayAsk={mayGive || user.id === viewer.id} />)}
              </ul>
              <More list={people} info={all.pageInfo} what={a.access.people} />
            </section>
          </>
        )}
      </Reading>
    </>
  );
}

export const AccessOfSpace = ({ space }: { space: SpaceFrame }) => (
  <AccessView
    on={{ kind: 'space', id: space.id, organization: space.organization.id, role: space.effectiveRole?.role ?? null }}
    title={space.title} crumbs={[{ href: toSpace(space.id), title: space.title }]}
  />
);

export function AccessOfCollection({ id }: { id: string }) {
  const result = useRead(COLLECTION, { id });
  const organization = result.data?.collection?.organization;
  useFollowing(organization?.id ?? null, null, organization?.events.nodes[0]?.id ?? null);
  return (
    <Reading result={result} pick={(data) => data.collection}>
      {(row) => (
        <AccessView
          on={{ kind: 'collection', id, organization: row.organization.id, role: row.effectiveRole?.role ?? null }} title={row.title}
          crumbs={[{ href: toOrganization(row.organization.id), title: row.organization.title }, { href: toCollection(id), title: row.title }]}
        />
      )}
    </Reading>
  );
}
