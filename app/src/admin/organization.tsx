/** What all views of an organization's administration share: the organization, its head, the way around. */

import {
  Activity, Blocks, Building2, FileCode2, Globe, Languages, type LucideIcon, Mail, ScrollText, Users, UsersRound, Webhook,
} from 'lucide-react';
import { useMemo } from 'react';
import { graphql } from '../graph/generated/index.ts';
import type { OrganizationAdminQuery } from '../graph/generated/graphql.ts';
import { toAdmin, toOrganization } from '../place.ts';
import { type Area, areasOf } from '../shell/areas.ts';
import { PlaceLink } from '../shell/places.tsx';
import { useSide } from '../shell/shell.tsx';
import shellCss from '../shell/shell.module.css';
import { useAdminTexts } from '../texts/admin/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTitle } from '../ui/title.ts';
import { Head } from '../views/parts.tsx';

export const ORGANIZATION = graphql(`
  query OrganizationAdmin($id: ID!) {
    organization(id: $id) {
      id
      title
      events(last: 1) { nodes { id } }
      permissions { admin createContent createOpenAPISpec listMembers listTeams listIntegrations listInstallations installIntegration }
    }
  }
`);

export type Organization = NonNullable<OrganizationAdminQuery['organization']>;

const ICONS: Record<Area, LucideIcon> = {
  people: Users, teams: UsersRound, invitations: Mail, sites: Globe, jobs: Activity, specifications: FileCode2, translations: Languages,
  webhooks: Webhook, integrations: Blocks, audit: ScrollText,
};

export function useAdminSide(organization: Organization | null): void {
  const a = useAdminTexts();
  const t = useTexts();
  const side = useMemo(
    () => organization === null ? null : (
      <>
        <PlaceLink href="/" icon={<span aria-hidden="true">←</span>} title={t.myWork} />
        <PlaceLink href={toOrganization(organization.id)} icon={<Building2 size={16} aria-hidden />} title={organization.title} />
        <p className={shellCss.heading}>{a.administration}</p>
        <ul className={shellCss.nav}>
          {areasOf(organization).map((area) => {
            const Icon = ICONS[area];
            return <li key={area}><PlaceLink href={toAdmin(organization.id, area)} icon={<Icon size={16} aria-hidden />} title={a.areas[area]} /></li>;
          })}
        </ul>
      </>
    ),
    [organization, a, t],
  );
  useSide(side);
}

export function AdminHead({ organization, area, lead }: { organization: Organization; area: Area; lead?: string }) {
  const a = useAdminTexts();
  useTitle(`${a.areas[area]} | ${organization.title}`);
  return <Head title={a.areas[area]} crumbs={[{ href: toOrganization(organization.id), title: organization.title }]} {...(lead ? { lead } : {})} />;
}
