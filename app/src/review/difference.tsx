/** What differs between two versions of a space: the tree, then page by page. */

import { useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { Link } from 'wouter';
import { nowhere, ReaderContext } from '../document/references.tsx';
import { graphql } from '../graph/generated/index.ts';
import type { ChangesFragment } from '../graph/generated/graphql.ts';
import type { List } from '../graph/more.ts';
import { toPageOf, type Version } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { Badge, Empty, More, Notice, type Tone } from '../ui/ui.tsx';
import type { CommentOn } from './comment-form.tsx';
import { PageDifference } from './page-difference.tsx';
import css from './review.module.css';

export const CHANGES = graphql(`
  fragment Changes on ContentChanges {
    more
    endCursor
    redirects { total }
    changes {
      __typename
      type
      ... on PageChange {
        page { __typename id pageId title path ... on DocumentPage { documentId } }
        attributes {
          title { before after }
          description { before after }
          slug { before after }
          emoji { before after }
          document { before after }
          condition { before after }
          hidden { before after }
          noIndex { before after }
        }
        parent { before { id title } after { id title } }
      }
      ... on FileChange { file { id fileId name size contentType downloadURL } }
      ... on VariablesChange { variables }
      ... on ReusableContentChange { reusableContent { id title documentId } attributes { title { before after } document { before after } } }
    }
  }
`);

type Change = ChangesFragment['changes'][number];
export type PageChange = Extract<Change, { __typename: 'PageChange' }>;
export type Layout = 'inline' | 'sides';

const SIGNS: Record<string, readonly [string, Tone]> = {
  CREATED: ['+', 'good'], DELETED: ['−', 'bad'], MOVED: ['→', 'accent'], EDITED: ['~', 'accent'],
};

export function Sign({ type }: { type: string }) {
  const t = useTexts();
  const verb = type.slice(type.lastIndexOf('_') + 1);
  const [sign, tone] = SIGNS[verb] ?? ['~', 'accent'];
  return <span className={css.sign} data-tone={tone} role="img" aria-label={t.verbs[verb] ?? verb}>{sign}</span>;
}

/** Pages that are open to begin with: each of them reads two documents. */
const OPEN_PAGES = 20;

const titleOf = (change: Change): string => {
  switch (change.__typename) {
    case 'PageChange': return change.page.title;
    case 'FileChange': return change.file.name;
    case 'ReusableContentChange': return change.reusableContent.title;
    default: return '';
  }
};

export function ContentDifference({ space, changes, after, list, commentOn }: {
  space: string; changes: ChangesFragment | null; after: Version; list: List; commentOn?: CommentOn;
}) {
  const t = useTexts();
  const [layout, setLayout] = useState<Layout>('inline');
  if (changes === null || changes.changes.length === 0) {
    return changes?.redirects ? <Notice tone="neutral">{t.redirectsChanged(changes.redirects.total)}</Notice> : <Empty>{t.nothingChanged}</Empty>;
  }
  const pages = changes.changes.filter((change): change is PageChange => change.__typename === 'PageChange');
  const others = changes.changes.filter((change) => change.__typename !== 'PageChange');
  // A page that was both moved and edited comes twice, and is shown once with all that it has.
  const byPage = new Map<string, PageChange[]>();
  for (const change of pages) {
    const same = byPage.get(change.page.pageId);
    if (same) same.push(change);
    else byPage.set(change.page.pageId, [change]);
  }
  return (
    <ReaderContext.Provider value={{ ...nowhere, space, version: after }}>
      <div className={css.changes}>
        <div className={css.toolbar}>
          <strong>{list.part > 1 ? t.partOfList(list.part) : t.changesTotal(changes.changes.length + (changes.more ?? 0))}</strong>
          <ToggleButtonGroup
            className={css.switch ?? ''}
            aria-label={t.howToShow}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[layout]}
            onSelectionChange={(keys) => setLayout([...keys][0] as Layout)}
          >
            <ToggleButton id="inline">{t.inline}</ToggleButton>
            <ToggleButton id="sides">{t.sideBySide}</ToggleButton>
          </ToggleButtonGroup>
        </div>
        <ul className={css.tree} aria-label={t.whatChanged}>
          {changes.changes.map((change, index) => (
            <li key={index}>
              <Sign type={change.type} />
              {change.__typename === 'PageChange' ? (
                <a href={`#change-${change.page.pageId}`}><bdi>{change.page.title}</bdi></a>
              ) : <bdi>{titleOf(change) || t.variables}</bdi>}
              <Badge>{t.changeTypes[change.type]}</Badge>
            </li>
          ))}
        </ul>
        {[...byPage].map(([id, all], index) => (
          <PageChangeCard key={id} isFirst={index < OPEN_PAGES} space={space} all={all} after={after} layout={layout} {...(commentOn ? { commentOn } : {})} />
        ))}
        {others.map((change, index) => <OtherChange key={index} space={space} change={change} layout={layout} />)}
        {changes.redirects ? <Notice tone="neutral">{t.redirectsChanged(changes.redirects.total)}</Notice> : null}
        {changes.more ? <Notice tone="neutral">{t.moreChanges(changes.more)}</Notice> : null}
        <More list={list} info={{ hasNextPage: changes.more !== null, endCursor: changes.endCursor }} what={t.changes} />
      </div>
    </ReaderContext.Provider>
  );
}

function PageChangeCard({ isFirst, space, all, after, layout, commentOn }: {
  isFirst: boolean; space: string; all: readonly PageChange[]; after: Version; layout: Layout; commentOn?: CommentOn;
}) {
  const t = useTexts();
  const [first] = all;
  const [isOpen, setOpen] = useState(isFirst);
  if (first === undefined) return null;
  const gone = first.type === 'PAGE_DELETED';
  return (
    <details className={css.change} aria-label={first.page.title} id={`change-${first.page.pageId}`} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Sign type={first.type} />
        <strong><bdi>{first.page.title}</bdi></strong>
        <span className={css.path}>/{first.page.path}</span>
      </summary>
      {isOpen ? (
        <div className={css.changeBody}>
          {gone || first.page.__typename !== 'DocumentPage' ? null : (
            <div><Link href={toPageOf(space, after, first.page.path)}>{t.readPage}</Link></div>
          )}
          {all.map((change, index) => (
            <PageDifference key={index} space={space} change={change} layout={layout} after={after} {...(commentOn && !gone ? { commentOn } : {})} />
          ))}
        </div>
      ) : null}
    </details>
  );
}

function OtherChange({ space, change, layout }: { space: string; change: Exclude<Change, PageChange>; layout: Layout }) {
  const t = useTexts();
  return (
    <div className={css.change}>
      <div className={css.changeBody}>
        <div style={{ display: 'flex', gap: '0.6rem', alignItems: 'center' }}>
          <Sign type={change.type} />
          <strong><bdi>{titleOf(change) || t.variables}</bdi></strong>
          <Badge>{t.changeTypes[change.type]}</Badge>
        </div>
        {change.__typename === 'FileChange' && change.type !== 'FILE_DELETED' ? <div><a href={change.file.downloadURL}>{t.download}</a></div> : null}
        {change.__typename === 'ReusableContentChange' ? (
          <PageDifference
            space={space}
            layout={layout}
            change={{ type: change.type, attributes: change.attributes, parent: null, page: { documentId: change.reusableContent.documentId } }}
          />
        ) : null}
        {change.__typename === 'VariablesChange' ? <pre tabIndex={0}>{JSON.stringify(change.variables, null, 2)}</pre> : null}
      </div>
    </div>
  );
}
