/** Writes of roles on a space and on a collection: the same of both. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { graphql } from '../graph/generated/index.ts';
import type { DefaultLevel, InviteInput, UpdatePermissionInput } from '../graph/generated/graphql.ts';

type Write<Variables> = TypedDocumentNode<unknown, Variables>;
interface Of {
  on: string;
  id: string;
}
interface Writes {
  readonly give: Write<{ on: string; input: InviteInput }>;
  readonly setUser: Write<Of & { input: UpdatePermissionInput }>;
  readonly setTeam: Write<Of & { input: UpdatePermissionInput }>;
  readonly takeUser: Write<Of>;
  readonly takeTeam: Write<Of>;
  readonly setLevel: Write<{ on: string; level?: DefaultLevel | null }>;
}

export const OF_SPACE: Writes = {
  give: graphql(`
    mutation GiveRole($on: ID!, $input: InviteInput!) { inviteToSpace(id: $on, input: $input) { space { id } } }
  `),
  setUser: graphql(`
    mutation SetRoleOfPerson($on: ID!, $id: ID!, $input: UpdatePermissionInput!) { updateUserPermissionInSpace(spaceId: $on, userId: $id, input: $input) { role } }
  `),
  setTeam: graphql(`
    mutation SetRoleOfTeam($on: ID!, $id: ID!, $input: UpdatePermissionInput!) { updateTeamPermissionInSpace(spaceId: $on, teamId: $id, input: $input) { role } }
  `),
  takeUser: graphql(`
    mutation TakeRoleOfPerson($on: ID!, $id: ID!) { removeUserFromSpace(spaceId: $on, userId: $id) { userId } }
  `),
  takeTeam: graphql(`
    mutation TakeRoleOfTeam($on: ID!, $id: ID!) { removeTeamFromSpace(spaceId: $on, teamId: $id) { teamId } }
  `),
  setLevel: graphql(`
    mutation SetDefaultLevel($on: ID!, $level: DefaultLevel) { updateSpace(id: $on, input: { defaultLevel: $level }) { id defaultLevel } }
  `),
};

export const OF_COLLECTION: Writes = {
  give: graphql(`
    mutation GiveRoleInCollection($on: ID!, $input: InviteInput!) { inviteToCollection(id: $on, input: $input) { collection { id } } }
  `),
  setUser: graphql(`
    mutation SetRoleOfPersonInCollection($on: ID!, $id: ID!, $input: UpdatePermissionInput!) { updateUserPermissionInCollection(collectionId: $on, userId: $id, input: $input) { role } }
  `),
  setTeam: graphql(`
    mutation SetRoleOfTeamInCollection($on: ID!, $id: ID!, $input: UpdatePermissionInput!) { updateTeamPermissionInCollection(collectionId: $on, teamId: $id, input: $input) { role } }
  `),
  takeUser: graphql(`
    mutation TakeRoleOfPersonInCollection($on: ID!, $id: ID!) { removeUserFromCollection(collectionId: $on, userId: $id) { userId } }
  `),
  takeTeam: graphql(`
    mutation TakeRoleOfTeamInCollection($on: ID!, $id: ID!) { removeTeamFromCollection(collectionId: $on, teamId: $id) { teamId } }
  `),
  setLevel: graphql(`
    mutation SetDefaultLevelOfCollection($on: ID!, $level: DefaultLevel) { updateCollection(id: $on, input: { defaultLevel: $level }) { id defaultLevel } }
  `),
};
