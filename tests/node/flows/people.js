export async function readPeople(call, { other }) {
  const user = await call("getAuthenticatedUser");
  await call("getUserById", user.id);
  await call("updateUserById", user.id, { displayName: user.displayName });
  const { items } = await call("listOrganizationsForAuthenticatedUser");
  const [{ id }] = items.filter((organization) => organization.id !== other);
  const { title } = await call("getOrganizationById", id);
  await call("updateOrganizationById", id, { title });
  const members = await call("listMembersInOrganizationById", id, { limit: 2 });
  await call("listMembersInOrganizationById", id, { limit: 2, page: members.next.page });
  for (const member of members.items) await call("getMemberInOrganizationById", id, member.id);
}

export async function manageMembers(call, { organization, other }) {
  const members = await call("listMembersInOrganizationById", organization, { limit: 100 });
  for (const { id, role } of members.items.slice(0, 2)) {
    await call("updateMemberInOrganizationById", organization, id, { role });
    await call("setUserAsSSOMemberForOrganization", organization, id);
    await call("listSpacesForOrganizationMember", organization, id, { limit: 2 });
    await call("listTeamsForOrganizationMember", organization, id);
  }
  await call("updateOrganizationMemberLastSeenAt", organization);
  const strangers = await call("listMembersInOrganizationById", other, { role: "read" });
  await call("removeMemberFromOrganizationById", other, strangers.items[0].id);
}

export async function shareContent(call, { organization }) {
  const { items } = await call("listMembersInOrganizationById", organization, { limit: 100 });
  const user = items.find((member) => member.role !== "admin").id;
  const team = await call("createOrganizationTeam", organization, { title: "Readers" });
  const space = await call("createSpace", organization, { title: "Shared" });
  const collection = await call("createCollection", organization, { title: "Shared" });
  for (const [{ id }, kind] of [
    [space, "Space"],
    [collection, "Collection"],
  ]) {
    await call(`inviteTo${kind}`, id, { role: "comment", users: [user], teams: [team.id] });
    await call(`listUserPermissionsIn${kind}`, id, { limit: 10 });
    await call(`listTeamPermissionsIn${kind}`, id);
    await call(`listPermissionsAggregateIn${kind}`, id, { role: "comment" });
    await call(`updateUserPermissionIn${kind}`, id, user, { role: null });
    await call(`updateTeamPermissionIn${kind}`, id, team.id, { role: "edit" });
    await call(`removeUserFrom${kind}`, id, user);
    await call(`removeTeamFrom${kind}`, id, team.id);
  }
}

export async function buildTeam(call, { organization }) {
  const { items } = await call("listMembersInOrganizationById", organization, { limit: 100 });
  const [first, second] = items.map((member) => member.id);
  const team = await call("createOrganizationTeam", organization, {
    title: "Writers",
    members: [first],
  });
  await call("listTeamsInOrganizationById", organization, { title: "write", owner: first });
  await call("getTeamInOrganizationById", organization, team.id);
  await call("updateTeamInOrganizationById", organization, team.id, { title: "Authors" });
  await call("updateMembersInOrganizationTeam", organization, team.id, {
    add: [first],
    memberships: { [second]: { role: "owner" } },
  });
  await call("addMemberToOrganizationTeamById", organization, team.id, first, { role: "owner" });
  await call("listTeamMembersInOrganizationById", organization, team.id);
  await call("deleteMemberFromOrganizationTeamById", organization, team.id, first);
  await call("removeTeamFromOrganizationById", organization, team.id);
}

export async function manageSignOn(call, { organization }) {
  const provider = await call("createOrganizationSAMLProvider", organization, { label: "Okta" });
  await call("updateOrganizationSAMLProvider", organization, provider.id, {
    entityID: "https://idp.example/metadata",
    ssoURL: "https://idp.example/sso",
    defaultRole: "edit",
  });
  await call("getOrganizationSAMLProviderById", organization, provider.id);
  await call("listSAMLProvidersInOrganizationById", organization, { limit: 2 });
  await call("listSSOProviderLoginsInOrganization", organization);
  await call("deleteOrganizationSAMLProvider", organization, provider.id);
}

export async function invitePeople(call, { organization }) {
  await call("inviteUsersToOrganization", organization, {
    emails: ["ida@example.com", { email: "jo@example.com", role: null }],
    role: "comment",
  });
  const link = await call("createOrganizationInvite", organization, { role: "read" });
  await call("listOrganizationInviteLinks", organization, { limit: 2 });
  await call("getOrganizationInviteLink", organization, link.id);
  await call("updateOrganizationInviteById", organization, link.id, { role: "comment" });
  const secret = link.url.split("/").pop();
  await call("joinOrganizationWithInvite", organization, secret);
  await call("deleteOrganizationInviteById", organization, link.id);
  const { email } = await call("getAuthenticatedUser");
  const domain = email.split("@").pop();
  await call("updateOrganizationById", organization, { emailDomains: [domain] });
  await call("getOrganizationsForEmailDomain", domain);
  await call("joinOrganization", organization);
}
