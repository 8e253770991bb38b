/** Broken links of a space: what they were meant to lead to, and where they stand. */

import { useCallback, useEffect, useMemo, useState } from 'react';
import { keyOf } from '../document/references.tsx';
import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { useRead, Waiting } from '../graph/reading.tsx';
import { toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTitle } from '../ui/title.ts';
import { FailureView } from '../ui/failure.tsx';
import { Badge, Button, Empty, ui } from '../ui/ui.tsx';
import { Windowed } from '../ui/windowed.tsx';
import { Head, views } from '../views/parts.tsx';
import { type BrokenLink, filtered, groupsOf } from './link-groups.ts';
import { PlaceOfLink, ToPlace } from './locations.tsx';
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

/** Portions that are read by themselves; a space with more broken links has them read when somebody asks. */
const PORTIONS = 10;

/** Pages with broken links that are drawn, or not, together. */
const TOGETHER = 25;
const portionsOf = <Row,>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, index) => rows.slice(index * TOGETHER, (index + 1) * TOGETHER));

type Portions = ReadonlyMap<string, readonly BrokenLink[]>;

/** One portion of the broken links, and those behind it: they are read on as long as the view is there. */
function Portion({ space, after, left, onRead, onStop }: {
  space: string; after: string | null; left: number; onRead: (after: string, nodes: readonly BrokenLink[] | null) => void; onStop: (stopped: boolean) => void;
}) {
  const result = useRead(LINKS, { space, after });
  const links = result.data?.space?.links;
  const isLast = links !== undefined && !links.pageInfo.hasNextPage;
  useEffect(() => {
    if (links !== undefined) onRead(after ?? '', links.nodes);
  }, [after, links, onRead]);
  useEffect(() => () => onRead(after ?? '', null), [after, onRead]);
  useEffect(() => {
    if (links !== undefined && left === 0) onStop(!isLast);
  }, [isLast, left, links, onStop]);
  if (result.error !== undefined && links === undefined) return <FailureView error={result.error} />;
  if (links === undefined) return <Waiting />;
  return isLast || left === 0 ? null : <Portion space={space} after={links.pageInfo.endCursor} left={left - 1} onRead={onRead} onStop={onStop} />;
}

function Groups({ space, links, total, isStopped, onMore }: { space: string; links: readonly BrokenLink[]; total: number; isStopped: boolean; onMore: () => void }) {
  const t = useTexts();
  const [words, setWords] = useState('');
  const [kind, setKind] = useState('');
  const { first: shown, more } = useMore(undefined, Number.POSITIVE_INFINITY);
  const inKinds = (link: BrokenLink): string => inWords(link.reference, t.referenceKinds);
  const all = useMemo(() => groupsOf(links), [links]);
  const groups = filtered(all, words, kind, inKinds);
  const kinds = [...new Set(links.map((link) => String(link.reference['kind'])))];
  const often = kind === '' && words === '' ? links.filter((link) => link.locationCount > link.locations.length) : [];
  return (
    <>
      <div className={css.filters} role="search">
        <label className={ui.field}>
          <span className={ui.label}>{t.filterLinks}</span>
          <input className={ui.input} type="search" value={words} dir="auto" onChange={(event) => setWords(event.target.value)} />
        </label>
        {kinds.length > 1 ? (
          <label className={ui.field}>
            <span className={ui.label}>{t.leadsTo}</span>
            <select className={ui.input} value={kind} onChange={(event) => setKind(event.target.value)}>
              <option value="">{t.everything}</option>
              {kinds.map((kind) => <option key={kind} value={kind}>{t.referenceKinds[kind] ?? kind}</option>)}
            </select>
          </label>
        ) : null}
      </div>
      <p role="status">{t.brokenOn(new Set(groups.flatMap((group) => group.standing.map(({ link }) => link))).size, groups.length)}{isStopped ? ` ${t.readOf(links.length, Math.max(total, links.length + 1))}` : ''}</p>
      <div className={ui.portions}>
        {portionsOf(groups.slice(0, shown)).map((portion) => (
          <Windowed key={portion[0]?.key} kind="ul" className={ui.rows}>
            {portion.map((group) => (
              <li key={group.key} className={ui.row} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
                <h2 className={css.group}><PlaceOfLink place={group.on} home={space} /> <Badge tone="bad">{t.brokenCount(group.standing.length)}</Badge></h2>
                <ul className={css.list}>
                  {group.standing.map(({ link, place }, index) => (
                    <li key={`${keyOf(link.reference)} ${index}`}><bdi>{inKinds(link)}</bdi> <ToPlace place={place} what={inKinds(link)} /></li>
                  ))}
                </ul>
              </li>
            ))}
          </Windowed>
        ))}
        {often.length > 0 ? (
          <ul className={ui.rows}>
            {often.map((link) => (
              <li key={keyOf(link.reference)} className={ui.row}>
                <span className={ui.rowAbout}><bdi>{inKinds(link)}</bdi>: {t.morePlaces(link.locationCount - link.locations.length)}</span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      {groups.length > shown ? <div><Button onPress={more}>{t.showMore}</Button></div> : null}
      {groups.length <= shown && isStopped ? <div><Button onPress={onMore}>{t.showMore}</Button></div> : null}
    </>
  );
}

export function BrokenLinksView({ space }: { space: SpaceFrame }) {
  const t = useTexts();
  useTitle(`${t.brokenLinks} | ${space.title}`);
  const [portions, setPortions] = useState<Portions>(new Map());
  const [most, setMost] = useState(PORTIONS);
  const [isStopped, setStopped] = useState(false);
  const onRead = useCallback((after: string, nodes: readonly BrokenLink[] | null) => setPortions((before) => {
    if (before.get(after) === (nodes ?? undefined)) return before;
    const next = new Map(before);
    if (nodes === null) next.delete(after);
    else next.set(after, nodes);
    return next;
  }), []);
  const links = useMemo(() => [...portions.values()].flat(), [portions]);
  return (
    <>
      <Head title={t.brokenLinks} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={t.brokenLinksAbout} />
      <div className={views.section}>
        {links.length > 0 ? (
          <Groups space={space.id} links={links} total={space.linkStats.broken.total} isStopped={isStopped} onMore={() => setMost((before) => before + PORTIONS)} />
        ) : portions.size > 0 ? <Empty>{t.noBrokenLinks}</Empty> : null}
        <Portion space={space.id} after={null} left={most - 1} onRead={onRead} onStop={setStopped} />
      </div>
    </>
  );
}
