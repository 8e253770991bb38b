/** Areas of an organization's administration, and who can read them. */

export const AREAS = ['people', 'teams', 'invitations', 'sites', 'jobs', 'specifications', 'translations', 'webhooks', 'integrations', 'audit'] as const;
export type Area = (typeof AREAS)[number];

export type AreaRights = Readonly<Record<'admin' | 'listMembers' | 'listTeams' | 'listIntegrations', boolean>>;
/** What an area needs; those without a need are for everybody, and list what they may see. */
const NEEDS: Partial<Record<Area, keyof AreaRights>> = {
  people: 'listMembers', teams: 'listTeams', integrations: 'listIntegrations', invitations: 'admin', webhooks: 'admin', audit: 'admin',
};

export const areasOf = ({ permissions }: { readonly permissions: AreaRights }): Area[] =>
  AREAS.filter((area) => NEEDS[area] === undefined || permissions[NEEDS[area]]);
/** Whether an area can be read by its address: lists that hold nothing but oneself are not offered, and not forbidden. */
export const mayRead = (area: Area, { permissions }: { readonly permissions: AreaRights }): boolean => NEEDS[area] !== 'admin' || permissions.admin;
/** Where administration begins for somebody. */
export const firstArea = (organization: { readonly permissions: AreaRights }): Area => areasOf(organization)[0] ?? 'sites';
