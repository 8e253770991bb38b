/** One page: its document, outline, facts, and who links to it. */

import { Suspense, useEffect, useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { styleOf } from '../document/alerts.ts';
import { DocumentBody } from '../document/blocks.tsx';
import documentCss from '../document/document.module.css';
import { Picture } from '../document/inlines.tsx';
import type { Block, ContentReference } from '../document/model.ts';
import { insertionsOfPage, ReaderContext, resolverOf } from '../document/references.tsx';
import { anchorKey, type AnyNode, holds, isBlank, outlineOf } from '../document/text.ts';
import { EditPage } from '../editor/later.ts';
import { graphql } from '../graph/generated/index.ts';
import type { WholePageFragment } from '../graph/generated/graphql.ts';
import { Reading, useRead, Waiting } from '../graph/reading.tsx';
import { toOrganization, toCollection, toPageOf, toSpace, type Version, versionArguments } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { emojiOf } from '../ui/emoji.ts';
import { part } from '../ui/part.ts';
import { useTitle } from '../ui/title.ts';
import { Badge, Empty, Notice, ui } from '../ui/ui.tsx';
import { Head } from '../views/parts.tsx';
import { Backlinks } from './backlinks.tsx';
import { BLOCK } from './locations.tsx';
import { useLinks } from './page-links.ts';
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
      document(evaluated: VALUES_ONLY)
      cover
      noIndex
      condition
      previous { id title path }
      next { id title path }
      pages(first: 100) { nodes { __typename id title emoji path } pageInfo { hasNextPage } }
      links(first: 200) { nodes { ...ResolvedLink } pageInfo { hasNextPage endCursor } }
    }
    ... on GroupPage { pages(first: 100) { nodes { __typename id title emoji path } pageInfo { hasNextPage } } }
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

const PageComments = part(() => import('../review/page-comments.tsx'));
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

/** Scroll to the heading or block of the address, once it is there, and to another one when the address gets it. */
function useAnchor(ready: unknown, title: string, nodes: readonly AnyNode[]): void {
  const hash = useLocationProperty(() => window.location.hash);
  useEffect(() => {
    const anchor = decoded(hash.slice(1));
    if (!anchor.startsWith(BLOCK)) return void (anchor && placeOf(anchor, title)?.scrollIntoView());
    const at = nodes.findIndex((node) => holds(node, anchor.slice(BLOCK.length)));
    const block = document.querySelector(`article .${documentCss.document}`)?.children[at];
    if (!(block instanceof HTMLElement)) return;
    block.scrollIntoView({ block: 'center' });
    block.dataset['found'] = '';
    return () => void delete block.dataset['found'];
  }, [ready, hash]);
}

/** What an anchor means: what has this id, else the first heading, or the title, with the same letters and digits. */
function placeOf(anchor: string, title: string): Element | null {
  const exact = document.getElementById(anchor);
  const key = anchorKey(anchor);
  if (exact !== null || key === '') return exact;
  const article = document.querySelector('article');
  const headings = [...(article?.querySelectorAll(`.${documentCss.document} :is(h2, h3, h4)[id]`) ?? [])];
  const heading = headings.find(({ id }) => anchorKey(id) === key);
  return heading ?? (anchorKey(title) === key ? (article?.querySelector('h1') ?? null) : null);
}

function PageThere({ space, version, page }: { space: SpaceFrame; version: Version; page: WholePageFragment }) {
  const t = useTexts();
  const isDocument = page.__typename === 'DocumentPage';
  useTitle(`${page.title} | ${space.title}`);
  const links = useLinks(space.id, version, page.pageId, isDocument ? page.links : null);
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
  const style = useMemo(() => styleOf(isDocument ? page.document : null), [page]);
  useAnchor(page.id, page.title, nodes as AnyNode[]);
  const outline = useMemo(() => outlineOf({ nodes: nodes as AnyNode[] }), [page]);
  const isEmpty = isBlank(nodes as AnyNode[]);
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
          {isEmpty ? null : <DocumentBody nodes={nodes} style={style} />}
          {below.length > 0 ? (
            <nav className={css.below} aria-label={t.pagesBelow}>
              <h2 style={{ fontSize: '1.05rem' }}>{t.pagesBelow}</h2>
              <ul className={ui.rows}>
                {below.map((child) => (
                  <li key={child.id}>
                    {child.__typename === 'DocumentPage' ? (
                      <Link className={ui.row} href={toPageOf(space.id, version, child.path)}>
                        <span className={ui.rowTitle}>{child.emoji ? `${emojiOf(child.emoji)} ` : ''}<bdi>{child.title}</bdi></span>
                      </Link>
                    ) : <span className={ui.row}><bdi>{child.title}</bdi></span>}
                  </li>
                ))}
              </ul>
              {'pages' in page && page.pages.pageInfo.hasNextPage ? <p className={ui.hint}>{t.moreInTree}</p> : null}
            </nav>
          ) : null}
          {isEmpty && below.length === 0 ? <Empty>{t.emptyPage}</Empty> : null}
          {isDocument && (page.previous || page.next) ? (
            <nav className={css.next} aria-label={t.neighbours}>
              {page.previous ? <Link href={toPageOf(space.id, version, page.previous.path)}><small>{t.previous}</small><bdi>{page.previous.title}</bdi></Link> : <span />}
              {page.next ? <Link href={toPageOf(space.id, version, page.next.path)}><small>{t.next}</small><bdi>{page.next.title}</bdi></Link> : null}
            </nav>
          ) : null}
          {isDocument && version.kind !== 'revision' ? <Suspense fallback={<Waiting />}><PageComments space={space.id} version={version} page={page.pageId} /></Suspense> : null}
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
