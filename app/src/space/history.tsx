/** Revisions of a space, the newest first: what made each of them, when, and who. */

import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { HistoryQuery } from '../graph/generated/graphql.ts';
import { Portions } from '../graph/portions.tsx';
import { toRevision, toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { useTitle } from '../ui/title.ts';
import { Badge, ui } from '../ui/ui.tsx';
import { Head, views } from '../views/parts.tsx';
import type { SpaceFrame } from './routes.tsx';

export const REVISION_ROW = graphql(`
  fragment RevisionRow on Revision {
    id
    type
    createdAt
    author { id displayName }
    mergedFrom { id number subject createdBy { id displayName } }
    git { message }
  }
`);

const HISTORY = graphql(`
  query History($space: ID!, $after: String) {
    space(id: $space) {
      id
      revisions(first: 25, after: $after) {
        nodes {
          ...RevisionRow
          first: changes(limit: 3) { more changes { __typename type ... on PageChange { page { id title } } } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

type Revision = NonNullable<HistoryQuery['space']>['revisions']['nodes'][number];

/** Who has written a revision, and who has merged it where that was somebody else. */
function People({ row }: { row: Revision }) {
  const t = useTexts();
  const writer = row.mergedFrom?.createdBy ?? row.author;
  if (!writer) return null;
  const merger = row.mergedFrom && row.author && row.author.id !== writer.id ? row.author : null;
  return <><bdi>{writer.displayName}</bdi>{merger ? <> · {t.mergedBy} <bdi>{merger.displayName}</bdi></> : null} · </>;
}

/** The first pages that a revision has changed; what it changed beside pages is said by the revision itself. */
function Changed({ row }: { row: Revision }) {
  const t = useTexts();
  const pages = (row.first?.changes ?? []).flatMap((change) => (change.__typename === 'PageChange' ? [change] : []));
  const more = row.first?.more ?? 0;
  if (pages.length === 0) return null;
  return (
    <span className={ui.rowAbout}>
      {pages.map((page, index) => (
        <span key={index}>{index > 0 ? ', ' : ''}<bdi>{page.page.title}</bdi> ({t.changeTypes[page.type as keyof typeof t.changeTypes]})</span>
      ))}
      {more > 0 ? `, ${t.andMore(more)}` : ''}
    </span>
  );
}

function Row({ space, row, place }: { space: string; row: Revision; place: number }) {
  const t = useTexts();
  return (
    <li aria-posinset={place} aria-setsize={-1}>
      <Link className={ui.row} href={toRevision(space, row.id)}>
        <span className={ui.rowTitle}>
          <bdi>{row.mergedFrom ? row.mergedFrom.subject || t.withoutSubject : (row.git?.message ?? t.revisionTypes[row.type])}</bdi>
        </span>
        <span className={ui.rowAbout}><People row={row} /><Ago at={row.createdAt} /></span>
        <Changed row={row} />
        <span className={ui.rowSide}>
          {row.mergedFrom ? <Badge tone="accent">#{row.mergedFrom.number}</Badge> : null}
          {place === 1 ? <Badge tone="good">{t.current}</Badge> : null}
        </span>
      </Link>
    </li>
  );
}

export function HistoryView({ space }: { space: SpaceFrame }) {
  const t = useTexts();
  useTitle(`${t.history} | ${space.title}`);
  return (
    <>
      <Head title={t.history} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={t.historyAbout} />
      <div className={views.section}>
        <Portions
          query={HISTORY} variables={{ space: space.id }} pick={(data) => data.space?.revisions} kind="ol" className={ui.rows} label={t.showOlder}
        >
          {(nodes, before) => nodes.map((row, index) => <Row key={row.id} space={space.id} row={row} place={before + index + 1} />)}
        </Portions>
      </div>
    </>
  );
}
