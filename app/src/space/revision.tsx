/** What one revision changed. */

import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { toChange, toHistory, toRevision, toSpace } from '../place.ts';
import { ContentDifference } from '../review/difference.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { useTitle } from '../ui/title.ts';
import { looks } from '../ui/ui.tsx';
import { Head } from '../views/parts.tsx';
import type { SpaceFrame } from './routes.tsx';

const REVISION = graphql(`
  query RevisionView($space: ID!, $id: ID!, $limit: Int!, $after: String) {
    revision(spaceId: $space, id: $id) {
      ...RevisionRow
      landingPage { id path }
      changes(limit: $limit, after: $after) { ...Changes }
    }
  }
`);

export default function RevisionView({ space, id }: { space: SpaceFrame; id: string }) {
  const t = useTexts();
  const list = useMore(500);
  const result = useRead(REVISION, { space: space.id, id, limit: list.first, after: list.after });
  useTitle(`${t.revision} | ${space.title}`);
  return (
    <Reading result={result} pick={(data) => data.revision}>
      {(row) => (
        <>
          <Head
            title={<bdi>{row.mergedFrom?.subject || row.git?.message || t.revisionTypes[row.type]}</bdi>}
            crumbs={[{ href: toSpace(space.id), title: space.title }, { href: toHistory(space.id), title: t.history }]}
            badges={
              <p style={{ display: 'flex', gap: '0.7rem', alignItems: 'center', flexWrap: 'wrap' }}>
                <Ago at={row.createdAt} />
                {row.author ? <bdi>{row.author.displayName}</bdi> : null}
                {row.mergedFrom ? <Link href={toChange(space.id, row.mergedFrom.number)}>{t.mergedFrom(row.mergedFrom.number)}</Link> : null}
                {row.landingPage ? <Link className={looks('normal')} href={`${toRevision(space.id, row.id)}/${row.landingPage.path}`}>{t.readAsItWas}</Link> : null}
              </p>
            }
          />
          <ContentDifference space={space.id} changes={row.changes} after={{ kind: 'revision', id: row.id }} list={list} />
        </>
      )}
    </Reading>
  );
}
