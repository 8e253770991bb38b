/** Revisions of a space, the newest first: what made each of them, when, and who. */

import { useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { RevisionRowFragment } from '../graph/generated/graphql.ts';
import { Reading, useRead, Waiting } from '../graph/reading.tsx';
import { toRevision, toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { useTitle } from '../ui/title.ts';
import { Badge, Button, ui } from '../ui/ui.tsx';
import { Head, views } from '../views/parts.tsx';
import type { SpaceFrame } from './routes.tsx';

export const REVISION_ROW = graphql(`
  fragment RevisionRow on Revision {
    id
    type
    createdAt
    parents
    mergedFrom { id number subject createdBy { id displayName } }
    git { message }
  }
`);

const NEWEST = graphql(`
  query NewestRevision($space: ID!, $organization: ID!) {
    revision(spaceId: $space) { ...RevisionRow }
    organization(id: $organization) {
      id
      events(space: $space, types: [SPACE_CONTENT_UPDATED], last: 200) {
        nodes { id revisionId changeRequestId actor { kind user { id displayName } } }
      }
    }
  }
`);

const ONE = graphql(`
  query OneRevision($space: ID!, $id: ID!) {
    revision(spaceId: $space, id: $id) { ...RevisionRow }
  }
`);

const PORTION = 15;

/** Revisions behind the newest one, by their first parents: what readers have had, in order. */
function useRevisions(space: string, newest: RevisionRowFragment, count: number) {
  const client = useClient();
  const [rows, setRows] = useState<RevisionRowFragment[]>([newest]);
  const [error, setError] = useState<CombinedError>();
  useEffect(() => {
    let current = true;
    const walk = async (): Promise<void> => {
      const found = [newest];
      for (let next = newest.parents[0]; next !== undefined && found.length < count; ) {
        // A revision never changes, so what is known of it is enough.
        const result = await client.query(ONE, { space, id: next }, { requestPolicy: 'cache-first' }).toPromise();
        if (!current) return;
        const row = result.data?.revision;
        if (!row) {
          setError(result.error);
          break;
        }
        found.push(row);
        next = row.parents[0];
      }
      setRows(found);
    };
    void walk();
    return () => {
      current = false;
    };
  }, [client, space, newest.id, count]);
  return { rows, error };
}

function Rows({ space, newest, authors }: {
  space: SpaceFrame; newest: RevisionRowFragment; authors: ReadonlyMap<string, string>;
}) {
  const t = useTexts();
  const [count, setCount] = useState(PORTION);
  const { rows, error } = useRevisions(space.id, newest, count);
  const more = rows.at(-1)?.parents[0] !== undefined;
  return (
    <div className={views.section}>
      <ol className={ui.rows}>
        {rows.map((row) => {
          const author = row.mergedFrom?.createdBy.displayName ?? authors.get(row.id);
          return (
            <li key={row.id}>
              <Link className={ui.row} href={toRevision(space.id, row.id)}>
                <span className={ui.rowTitle}>
                  <bdi>{row.mergedFrom ? row.mergedFrom.subject || t.withoutSubject : (row.git?.message ?? t.revisionTypes[row.type])}</bdi>
                </span>
                <span className={ui.rowAbout}>
                  {author ? <><bdi>{author}</bdi> · </> : null}<Ago at={row.createdAt} />
                </span>
                <span className={ui.rowSide}>
                  {row.mergedFrom ? <Badge tone="accent">#{row.mergedFrom.number}</Badge> : null}
                  {row.id === newest.id ? <Badge tone="good">{t.current}</Badge> : null}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
      <FailureNotice error={error} />
      {more && rows.length < count && !error ? <Waiting /> : null}
      {more && rows.length >= count ? <div><Button onPress={() => setCount(count + PORTION)}>{t.showOlder}</Button></div> : null}
    </div>
  );
}

export function HistoryView({ space }: { space: SpaceFrame }) {
  const t = useTexts();
  const result = useRead(NEWEST, { space: space.id, organization: space.organization.id });
  useTitle(`${t.history} | ${space.title}`);
  const authors = new Map(
    (result.data?.organization?.events.nodes ?? []).flatMap(({ revisionId, actor }) =>
      revisionId && actor.user ? [[revisionId, actor.user.displayName] as const] : [],
    ),
  );
  return (
    <>
      <Head title={t.history} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={t.historyAbout} />
      <Reading result={result} pick={(data) => data.revision}>
        {(newest) => <Rows space={space} newest={newest} authors={authors} />}
      </Reading>
    </>
  );
}
