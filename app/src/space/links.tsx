/** Broken links of a space: what they were meant to lead to, and where they stand. */

import { keyOf } from '../document/references.tsx';
import { graphql } from '../graph/generated/index.ts';
import { useState } from 'react';
import { Reading, useRead } from '../graph/reading.tsx';
import { toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTitle } from '../ui/title.ts';
import { Button, Empty, ui } from '../ui/ui.tsx';
import { Head, views } from '../views/parts.tsx';
import { keyOfPlace, PlaceOfLink } from './locations.tsx';
import type { SpaceFrame } from './routes.tsx';
import css from './space.module.css';

const LINKS = graphql(`
  query BrokenLinks($space: ID!, $after: String) {
    space(id: $space) {
      id
      links(first: 60, after: $after, status: BROKEN) {
        nodes { reference locationCount locations { ...PlaceOfLink } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

/** A reference in words: its kind, and the most telling part of it. */
function inWords(reference: Record<string, unknown>, kinds: Record<string, string>): string {
  const kind = String(reference['kind']);
  const part = reference['url'] ?? reference['anchor'] ?? reference['page'] ?? reference['file'] ?? reference['space'];
  return `${kinds[kind] ?? kind}${part === undefined ? '' : ` ${String(part)}`}`;
}

/** One portion of the broken links, and those behind it. */
function Portion({ space, after }: { space: string; after: string | null }) {
  const t = useTexts();
  const [more, setMore] = useState(false);
  const result = useRead(LINKS, { space, after });
  return (
    <Reading result={result} pick={(data) => data.space?.links}>
      {({ nodes, pageInfo }) => nodes.length === 0 ? <Empty>{t.noBrokenLinks}</Empty> : (
        <>
          <ul className={ui.rows}>
            {nodes.map((link) => (
              <li key={keyOf(link.reference)} className={ui.row} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
                <span className={ui.rowTitle}><bdi>{inWords(link.reference, t.referenceKinds)}</bdi></span>
                <div className={ui.rowAbout}>
                  {t.standsAt(link.locationCount)}
                  <ul className={css.list}>
                    {link.locations.map((place, index) => (
                      <li key={keyOfPlace(place, index)}><PlaceOfLink place={place} home={space} /></li>
                    ))}
                  </ul>
                </div>
              </li>
            ))}
          </ul>
          {pageInfo.hasNextPage ? (
            more ? <Portion space={space} after={pageInfo.endCursor} />
              : <div><Button onPress={() => setMore(true)}>{t.showMore}</Button></div>
          ) : null}
        </>
      )}
    </Reading>
  );
}

export function BrokenLinksView({ space }: { space: SpaceFrame }) {
  const t = useTexts();
  useTitle(`${t.brokenLinks} | ${space.title}`);
  return (
    <>
      <Head title={t.brokenLinks} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={t.brokenLinksAbout} />
      <div className={views.section}><Portion space={space.id} after={null} /></div>
    </>
  );
}
