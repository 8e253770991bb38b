/** The navigation outside of a space: organizations with their collections and spaces. */

import { Building2, Folder, House, Settings } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { PlacesQuery } from '../graph/generated/graphql.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { toAdmin, toCollection, toOrganization, toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { More } from '../ui/ui.tsx';
import { firstArea } from './areas.ts';
import css from './shell.module.css';
import { useOrganizations, useViewer } from './viewer.tsx';

const PLACES = graphql(`
  query Places($organization: ID!) {
    organization(id: $organization) {
      id
      collections(first: 300, nested: true) {
        nodes { id title position parent { id } }
        pageInfo { hasNextPage }
      }
      spaces(first: 500) {
        nodes { id title emoji position parent { id } }
        pageInfo { hasNextPage }
      }
    }
  }
`);

type Organization = NonNullable<PlacesQuery['organization']>;

export function PlaceLink({ href, icon, title, count }: {
  href: string; icon: React.ReactNode; title: string; count?: number;
}) {
  const [location] = useLocation();
  return (
    <Link className={css.link} href={href} aria-current={location === href ? 'page' : undefined}>
      {icon}<bdi>{title}</bdi>
      {count ? <span className={css.count}>{count}</span> : null}
    </Link>
  );
}

const byPosition = <Row extends { position: string }>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => (a.position < b.position ? -1 : 1));

function Level({ organization, parent }: { organization: Organization; parent: string | null }) {
  const inside = (row: { parent: { id: string } | null }) => (row.parent?.id ?? null) === parent;
  const collections = byPosition(organization.collections.nodes.filter(inside));
  const spaces = byPosition(organization.spaces.nodes.filter(inside));
  return (
    <ul className={css.nav}>
      {collections.map((row) => (
        <li key={row.id}>
          <PlaceLink href={toCollection(row.id)} icon={<Folder size={16} aria-hidden />} title={row.title} />
          <Level organization={organization} parent={row.id} />
        </li>
      ))}
      {spaces.map((row) => (
        <li key={row.id}>
          <PlaceLink
            href={toSpace(row.id)}
            icon={<span className={css.emoji} aria-hidden="true">{emojiOf(row.emoji) ?? '📄'}</span>}
            title={row.title}
          />
        </li>
      ))}
    </ul>
  );
}

function OfOrganization({ id }: { id: string }) {
  const t = useTexts();
  const result = useRead(PLACES, { organization: id });
  return (
    <Reading result={result} pick={(data) => data.organization}>
      {(organization) => (
        <>
          <Level organization={organization} parent={null} />
          {organization.spaces.pageInfo.hasNextPage || organization.collections.pageInfo.hasNextPage ? (
            <Link className={css.link} href={toOrganization(id)}>{t.allSpaces}</Link>
          ) : null}
        </>
      )}
    </Reading>
  );
}

export function Places() {
  const t = useTexts();
  const viewer = useViewer();
  const list = useOrganizations();
  return (
    <section aria-label={t.organizations}>
      <ul className={css.nav}>
        <li><PlaceLink href="/" icon={<House size={16} aria-hidden />} title={t.myWork} /></li>
      </ul>
      {/* The heading that one comes to in another part of the list. */}
      {list.part > 1 || viewer.organizations.pageInfo.hasNextPage ? <h2 className="hidden-text">{t.organizations}</h2> : null}
      {viewer.organizations.nodes.map((organization) => (
        <div key={organization.id} role="group" aria-label={organization.title}>
          <div style={{ paddingBlockStart: '0.9rem' }}>
            <PlaceLink
              href={toOrganization(organization.id)}
              icon={<Building2 size={16} aria-hidden />}
              title={organization.title}
            />
          </div>
          <OfOrganization id={organization.id} />
          <PlaceLink href={toAdmin(organization.id, firstArea(organization))} icon={<Settings size={16} aria-hidden />} title={t.administration} />
        </div>
      ))}
      <More list={list} info={viewer.organizations.pageInfo} what={t.organizations} />
    </section>
  );
}
