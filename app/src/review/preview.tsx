/** Addresses that show a change request as readers of a site would see it. */

import { Eye } from 'lucide-react';
import { useRef, useState } from 'react';
import { useClient } from 'urql';
import type { CombinedError } from 'urql';
import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { useRead } from '../graph/reading.tsx';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, More, Notice } from '../ui/ui.tsx';
import css from './review.module.css';

const SITES = graphql(`
  query SitesOfSpace($space: ID!, $first: Int!, $after: String) {
    space(id: $space) {
      id
      sites(first: $first, after: $after) { nodes { id title published visibility previews } pageInfo { hasNextPage endCursor } }
    }
  }
`);

const PLACES = graphql(`
  query PlacesOnSite($site: ID!) { site(id: $site) { id siteSpaces(first: 1000) { nodes { id space { id } } } } }
`);

const PREVIEW = graphql(`
  query PreviewOfChange($site: ID!, $siteSpace: ID, $change: ID!) { sitePreview(id: $site, siteSpace: $siteSpace, changeRequest: $change) { url } }
`);

export function Previews({ space, change }: { space: string; change: string }) {
  const t = useTexts();
  const client = useClient();
  const [preview, setPreview] = useState<{ title: string; url: string } | null>(null);
  const [error, setError] = useState<CombinedError | undefined>();
  const list = useMore(20);
  const { data, error: unread, again } = useRead(SITES, { space, first: list.first, after: list.after });
  const newest = useRef('');
  const [making, setMaking] = useState<string | null>(null);
  const sites = (data?.space?.sites.nodes ?? []).filter(
    (site) => site.published && site.previews !== 'NOBODY' && (site.visibility === 'PUBLIC' || site.visibility === 'UNLISTED'));
  const info = data?.space?.sites.pageInfo;
  if (unread) return <FailureNotice error={unread} again={again} />;
  // Among the sites behind these there may be one that shows previews.
  if (sites.length === 0 && list.part === 1 && !info?.hasNextPage) return null;
  const make = async (site: (typeof sites)[number]): Promise<void> => {
    newest.current = site.id;
    setMaking(site.id);
    setPreview(null);
    const there = await client.query(PLACES, { site: site.id }, { requestPolicy: 'network-only' }).toPromise();
    const siteSpace = there.data?.site?.siteSpaces.nodes.find((siteSpace) => siteSpace.space.id === space)?.id ?? null;
    const answer = await client.query(PREVIEW, { site: site.id, siteSpace, change }, { requestPolicy: 'network-only' }).toPromise();
    // Whoever has asked for another one since waits for that.
    if (newest.current !== site.id) return;
    setMaking(null);
    setError(there.error ?? answer.error);
    setPreview(answer.data?.sitePreview ? { title: site.title, url: answer.data.sitePreview.url } : null);
  };
  return (
    <section className={css.previews} aria-label={t.preview}>
      {sites.map((site) => (
        <Button key={site.id} aria-disabled={making === site.id} onPress={() => making === site.id || void make(site)}><Eye size={15} aria-hidden />{t.previewOn(site.title)}</Button>
      ))}
      <More list={list} info={info} what={t.preview} />
      <FailureNotice error={error} />
      {preview ? (
        <Notice tone="good" role="status">
          <a href={preview.url} target="_blank" rel="noreferrer">{t.openPreview(preview.title)}</a>
          <span className={css.about}>{t.previewLasts}</span>
        </Notice>
      ) : null}
    </section>
  );
}
