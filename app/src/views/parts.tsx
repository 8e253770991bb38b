/** Parts that several views share: heads, rows of change requests, cards of spaces. */

import { Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { ChangeRequestRowFragment, SpaceCardFragment } from '../graph/generated/graphql.ts';
import { toChange, toCollection, toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { useHeading } from '../ui/arrival.ts';
import { emojiOf } from '../ui/emoji.ts';
import { Badge, type Tone, ui } from '../ui/ui.tsx';
import css from './views.module.css';

export const SPACE_CARD = graphql(`
  fragment SpaceCard on Space { id title emoji updatedAt changeRequestsOpen }
`);

export const CHANGE_REQUEST_ROW = graphql(`
  fragment ChangeRequestRow on ChangeRequest {
    id number subject status outdated updatedAt commentsOpen
    createdBy { id displayName }
    space { id title }
  }
`);

export interface Crumb {
  readonly href: string;
  readonly title: string;
}

export function Head({ title, crumbs = [], lead, badges, action }: {
  title: ReactNode; crumbs?: readonly Crumb[]; lead?: string | null; badges?: ReactNode;
  /** Where one goes from here; beside the title where there is room. */
  action?: ReactNode;
}) {
  const t = useTexts();
  const heading = useHeading();
  return (
    <header className={css.head}>
      {crumbs.length > 0 ? (
        <nav aria-label={t.whereItBelongs}>
          <ol className={css.crumbs}>
            {crumbs.map((crumb) => (
              <li key={crumb.href}><Link href={crumb.href}><bdi>{crumb.title}</bdi></Link></li>
            ))}
          </ol>
        </nav>
      ) : null}
      <div className={css.titleLine}>
        <h1 dir="auto" ref={heading} tabIndex={-1}>{title}</h1>
        {action}
      </div>
      {badges}
      {lead ? <p className={css.lead}><bdi>{lead}</bdi></p> : null}
    </header>
  );
}

const TONES: Record<ChangeRequestRowFragment['status'], Tone> = {
  OPEN: 'good', DRAFT: 'neutral', MERGED: 'accent', ARCHIVED: 'neutral',
};

export function StatusBadge({ status }: { status: ChangeRequestRowFragment['status'] }) {
  const t = useTexts();
  return <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>;
}

export function ChangeRequestRows({ rows, withSpace }: {
  rows: readonly ChangeRequestRowFragment[]; withSpace: boolean;
}) {
  const t = useTexts();
  return (
    <ul className={ui.rows}>
      {rows.map((row) => (
        <li key={row.id}>
          <Link className={ui.row} href={toChange(row.space.id, row.number)}>
            <span className={ui.rowTitle}><bdi>{row.subject || t.withoutSubject}</bdi></span>
            <span className={ui.rowAbout}>
              {withSpace ? <><bdi>{row.space.title}</bdi> · </> : null}#{row.number} · <bdi>{row.createdBy.displayName}</bdi> · <Ago at={row.updatedAt} />
            </span>
            <span className={ui.rowSide}>
              {row.outdated && row.status !== 'MERGED' ? <Badge tone="warn">{t.outdated}</Badge> : null}
              <StatusBadge status={row.status} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function SpaceCards({ spaces }: { spaces: readonly SpaceCardFragment[] }) {
  const t = useTexts();
  return (
    <ul className={css.cards}>
      {spaces.map((space) => (
        <li key={space.id}>
          <Link className={css.card} href={toSpace(space.id)}>
            <span className={css.big} aria-hidden="true">{emojiOf(space.emoji) ?? '📄'}</span>
            <strong><bdi>{space.title}</bdi></strong>
            <small>
              <Ago at={space.updatedAt} />
              {space.changeRequestsOpen > 0 ? ` · ${t.openRequests(space.changeRequestsOpen)}` : ''}
            </small>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function CollectionCards({ rows }: { rows: ReadonlyArray<{ id: string; title: string; description: string | null }> }) {
  return (
    <ul className={css.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <Link className={css.card} href={toCollection(row.id)}>
            <Folder className={css.big} size={22} aria-hidden />
            <strong><bdi>{row.title}</bdi></strong>
            <small><bdi>{row.description ?? ''}</bdi></small>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export { css as views };
