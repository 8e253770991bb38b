/** One page: its document, outline, facts, and who links to it. */

import { Suspense, useEffect, useMemo, useState } from 'react';
import { useClient } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { DocumentBody } from '../document/blocks.tsx';
import { Picture } from '../document/inlines.tsx';
import type { Block, ContentReference } from '../document/model.ts';
import { insertionsOfPage, ReaderContext, resolverOf } from '../document/references.tsx';
import { type AnyNode, outlineOf } from '../document/text.ts';
import { graphql } from '../graph/generated/index.ts';
import type { ResolvedLinkFragment, WholePageFragment } from '../graph/generated/graphql.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { toOrganization, toCollection, toPageOf, toSpace, type Version, versionArguments } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { part } from '../ui/part.ts';
import { useTitle } from '../ui/title.ts';
import { Badge, Empty, Notice, ui } from '../ui/ui.tsx';
import { Head } from '../views/parts.tsx';
import { Backlinks } from './backlinks.tsx';
import { decoded } from './route.ts';
import { mayPropose, type SpaceFrame } from './routes.tsx';
import css from './space.module.css';

export const WHOLE_PAGE = graphql(`
  fragment WholePage on Page {
    __typename
    id
    pageId
    title
    emoji
    path
    hidden
    createdAt
    updatedAt
    linkStats { broken { total } }
    ... on DocumentPage {
      description
      document
      cover
      noIndex
      condition
      previous { id title path }
      next { id title path }
      pages(first: 100) { nodes { __typename id title emoji path } }
      links(first: 200) { nodes { ...ResolvedLink } pageInfo { hasNextPage endCursor } }
    }
    ... on GroupPage { pages(first: 200) { nodes { __typename id title emoji path } } }
  }
`);

const MORE_LINKS = graphql(`
  query LinksOfPage($space: ID!, $page: ID!, $changeRequestId: ID, $revisionId: ID, $after: String) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId, revisionId: $revisionId) {
      id
      links(first: 500, after: $after) { nodes { ...ResolvedLink } pageInfo { hasNextPage endCursor } }
    }
  }
`);

const BY_PATH = graphql(`
  query PageByPath($space: ID!, $path: String!, $changeRequestId: ID, $revisionId: ID) {
    pageByPath(spaceId: $space, path: $path, changeRequestId: $changeRequestId, revisionId: $revisionId) { ...WholePage }
  }
`);

const LANDING = graphql(`
  query LandingPage($space: ID!, $changeRequestId: ID, $revisionId: ID) {
    revision(spaceId: $space, id: $revisionId, changeRequestId: $changeRequestId) {
      id
      landingPage { ...WholePage }
    }
  }
`);

interface Props {
  readonly space: SpaceFrame;
  readonly version: Version;
  readonly path: string;
}

const EditPage = part(() => import('../editor/edit-page.tsx'));
const EditButton = part(() => import('../editor/start.tsx'));

export function PageView(props: Props) {
  const [parameters] = useSearchParams();
  const edited = parameters.get('edit');
  if (edited && props.version.kind !== 'revision') return <EditPage key={edited} space={props.space} version={props.version} id={edited} />;
  return props.path ? <ByPath {...props} /> : <Landing {...props} />;
}

function ByPath({ space, version, path }: Props) {
  const result = useRead(BY_PATH, { space: space.id, path, ...versionArguments(version) });
  return (
    <Reading result={result} pick={(data) => data.pageByPath}>
      {(page) => <PageThere space={space} version={version} page={page} />}
    </Reading>
  );
}

function Landing({ space, version }: Props) {
  const t = useTexts();
  const result = useRead(LANDING, { space: space.id, ...versionArguments(version) });
  useTitle(space.title);
  return (
    <Reading result={result} pick={(data) => data.revision}>
      {(revision) => revision.landingPage ? (
        <PageThere space={space} version={version} page={revision.landingPage} />
      ) : (
        <>
          <Head title={<bdi>{space.title}</bdi>} />
          <Empty>{t.noPages}</Empty>
        </>
      )}
    </Reading>
  );
}

function crumbsOf(space: SpaceFrame): Array<{ href: string; title: string }> {
  return [
    { href: toOrganization(space.organization.id), title: space.organization.title },
    ...(space.parent ? [{ href: toCollection(space.parent.id), title: space.parent.title }] : []),
    { href: toSpace(space.id), title: space.title },
  ];
}

/** Scroll to the heading of the address, once it is there, and to another one when the address gets it. */
function useAnchor(ready: unknown): void {
  const hash = useLocationProperty(() => window.location.hash);
  useEffect(() => {
    const anchor = decoded(hash.slice(1));
    if (anchor) document.getElementById(anchor)?.scrollIntoView();
  }, [ready, hash]);
}

/** References of a page: the first come with it, those of long pages after it. */
function useLinks(space: string, version: Version, page: WholePageFragment): readonly ResolvedLinkFragment[] {
  const client = useClient();
  const first = page.__typename === 'DocumentPage' ? page.links : null;
  const [rest, setRest] = useState<readonly ResolvedLinkFragment[]>([]);
  useEffect(() => {
    let current = true;
    setRest([]);
    const readOn = async (): Promise<void> => {
      let portion = first?.pageInfo;
      while (current && portion?.hasNextPage) {
        const of = { space, page: page.pageId, after: portion.endCursor, ...versionArguments(version) };
        const { data } = await client.query(MORE_LINKS, of).toPromise();
        const more = data?.page?.links;
        if (!current || !more) return;
        setRest((before) => [...before, ...more.nodes]);
        portion = more.pageInfo;
      }
    };
    void readOn();
    return () => {
      current = false;
    };
  }, [client, space, version, first]);
  return useMemo(() => [...(first?.nodes ?? []), ...rest], [first, rest]);
}

function PageThere({ space, version, page }: { space: SpaceFrame; version: Version; page: WholePageFragment }) {
  const t = useTexts();
  const isDocument = page.__typename === 'DocumentPage';
  useTitle(`${page.title} | ${space.title}`);
  useAnchor(page.id);
  const links = useLinks(space.id, version, page);
  const insertions = useMemo(insertionsOfPage, [page.id]);
  const reader = useMemo(
    () => ({
      space: space.id,
      version,
      resolve: resolverOf({ space: space.id, version, links }),
      inside: [],
      insertions,
    }),
    [space.id, version, links, insertions],
  );
  const nodes = isDocument ? ((page.document['nodes'] ?? []) as Block[]) : [];
  const outline = useMemo(() => outlineOf({ nodes: nodes as AnyNode[] }), [page]);
  const emoji = emojiOf(page.emoji);
  const below = 'pages' in page ? page.pages.nodes : [];
  const cover = isDocument ? (page.cover?.['ref'] as ContentReference | undefined) : undefined;
  return (
    <ReaderContext.Provider value={reader}>
      <div className={css.page}>
        <article>
          {cover?.kind === 'file' ? <div className={css.cover}><Picture reference={cover} /></div> : null}
          <Head
            title={<>{emoji ? <span aria-hidden="true">{emoji} </span> : null}<bdi>{page.title}</bdi></>}
            crumbs={crumbsOf(space)}
            lead={isDocument ? page.description : null}
          />
          {isDocument && version.kind !== 'revision' && mayPropose(space) ? (
            <div className={css.edit}><Suspense fallback={null}><EditButton space={space} version={version} page={page} /></Suspense></div>
          ) : null}
          {nodes.length > 0 ? <DocumentBody nodes={nodes} /> : null}
          {below.length > 0 ? (
            <nav className={css.below} aria-label={t.pagesBelow}>
              <h2 style={{ fontSize: '1.05rem' }}>{t.pagesBelow}</h2>
              <ul className={ui.rows}>
                {below.map((one) => (
                  <li key={one.id}>
                    {one.__typename === 'DocumentPage' ? (
                      <Link className={ui.row} href={toPageOf(space.id, version, one.path)}>
                        <span className={ui.rowTitle}>{one.emoji ? `${emojiOf(one.emoji)} ` : ''}<bdi>{one.title}</bdi></span>
                      </Link>
                    ) : <span className={ui.row}><bdi>{one.title}</bdi></span>}
                  </li>
                ))}
              </ul>
            </nav>
          ) : null}
          {nodes.length === 0 && below.length === 0 ? <Empty>{t.emptyPage}</Empty> : null}
          {isDocument && (page.previous || page.next) ? (
            <nav className={css.next} aria-label={t.neighbours}>
              {page.previous ? <Link href={toPageOf(space.id, version, page.previous.path)}><small>{t.previous}</small><bdi>{page.previous.title}</bdi></Link> : <span />}
              {page.next ? <Link href={toPageOf(space.id, version, page.next.path)}><small>{t.next}</small><bdi>{page.next.title}</bdi></Link> : null}
            </nav>
          ) : null}
        </article>
        <aside className={css.aside} aria-label={t.aboutThisPage}>
          {outline.length > 1 ? (
            <nav aria-label={t.onThisPage}>
              <h2>{t.onThisPage}</h2>
              <ol className={css.outline}>
                {outline.map((entry) => (
                  <li key={entry.id} data-level={entry.level}><a href={`#${encodeURIComponent(entry.id)}`}><bdi>{entry.title}</bdi></a></li>
                ))}
              </ol>
            </nav>
          ) : null}
          <section>
            <h2>{t.details}</h2>
            <dl className={css.facts}>
              {page.updatedAt ? <><dt>{t.changed}</dt><dd><Ago at={page.updatedAt} /></dd></> : null}
              {page.createdAt ? <><dt>{t.created}</dt><dd><Ago at={page.createdAt} /></dd></> : null}
              <dt>{t.path}</dt><dd><code>/{page.path}</code></dd>
              {isDocument && page.condition ? <><dt>{t.condition}</dt><dd><code>{page.condition}</code></dd></> : null}
            </dl>
            {page.hidden ? <p><Badge>{t.hiddenPage}</Badge></p> : null}
            {isDocument && page.noIndex ? <p><Badge>{t.notInSearch}</Badge></p> : null}
          </section>
          {page.linkStats.broken.total > 0 ? <Notice tone="bad">{t.brokenHere(page.linkStats.broken.total)}</Notice> : null}
          {version.kind === 'primary' ? <Backlinks space={space.id} page={page.pageId} /> : null}
        </aside>
      </div>
    </ReaderContext.Provider>
  );
}
