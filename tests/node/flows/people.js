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
