/** Search over everything that somebody may read: spaces by title, pages by what they say. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Autocomplete, Header, Input, Menu, MenuItem, MenuSection, TextField } from 'react-aria-components';
import { useClient } from 'urql';
import { useLocation } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { SearchEverythingQuery } from '../graph/generated/graphql.ts';
import { toAdmin, toMine, toPage, toSpace } from '../place.ts';
import { useAdminTexts } from '../texts/admin/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { emptyOf, FailureNotice } from '../ui/failure.tsx';
import { ui } from '../ui/ui.tsx';
import type { CombinedError } from 'urql';
import { areasOf } from './areas.ts';
import css from './shell.module.css';
import { useViewer } from './viewer.tsx';

const SEARCH = graphql(`
  query SearchEverything($organization: ID!, $words: String!) {
    organization(id: $organization) {
      id
      search(first: 10, query: $words) {
        nodes {
          spaceId
          title
          pages(first: 6) {
            nodes { pageId title path description ancestors { pageId title } sections { sectionId title body } }
            pageInfo { hasNextPage }
          }
        }
        pageInfo { hasNextPage }
      }
    }
  }
`);

const SPACES = graphql(`
  query SpacesByTitle($organization: ID!, $title: String) {
    organization(id: $organization) {
      id
      spaces(first: 8, title: $title, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes { id title }
        pageInfo { hasNextPage }
      }
    }
  }
`);

const QUIET_MS = 120;
const EXTRACT = 160;

interface Hit {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly about: string;
}
interface Hits {
  readonly words: string;
  readonly spaces: Hit[];
  readonly pages: Hit[];
  /** Whether more fits than is listed. */
  readonly isMore: boolean;
}

type Space = NonNullable<SearchEverythingQuery['organization']>['search']['nodes'][number];

function pageHits(space: Space): Hit[] {
  return space.pages.nodes.map((page) => {
    const where = [space.title, ...page.ancestors.map((ancestor) => ancestor.title)].join(' › ');
    const said = page.sections.map((section) => section.body).find(Boolean) ?? page.description;
    return {
      id: `page:${space.spaceId}:${page.pageId}`,
      href: toPage(space.spaceId, page.path),
      title: page.title,
      about: said ? `${where} · ${said.slice(0, EXTRACT)}` : where,
    };
  });
}

function useSearch(words: string): { hits: Hits | null; error: CombinedError | undefined; again: () => void } {
  const client = useClient();
  const viewer = useViewer();
  const [hits, setHits] = useState<Hits | null>(null);
  const [error, setError] = useState<CombinedError>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let current = true;
    const timer = window.setTimeout(async () => {
      const parts = await Promise.all(
        viewer.organizations.nodes.map(async ({ id: organization }) => {
          const [spaces, pages] = await Promise.all([
            client.query(SPACES, { organization, title: words || null }).toPromise(),
            words ? client.query(SEARCH, { organization, words }).toPromise() : null,
          ]);
          return { spaces, pages };
        }),
      );
      if (!current) return;
      setError(parts.map((part) => part.spaces.error ?? part.pages?.error).find(Boolean));
      setHits({
        words,
        spaces: parts.flatMap(({ spaces }) =>
          (spaces.data?.organization?.spaces.nodes ?? []).map((space) => ({
            id: `space:${space.id}`, href: toSpace(space.id), title: space.title, about: '',
          })),
        ),
        isMore: parts.some(({ spaces, pages }) => {
          const search = pages?.data?.organization?.search;
          return spaces.data?.organization?.spaces.pageInfo.hasNextPage || search?.pageInfo.hasNextPage || search?.nodes.some((group) => group.pages.pageInfo.hasNextPage);
        }),
        pages: parts.flatMap(({ pages }) => (pages?.data?.organization?.search.nodes ?? []).flatMap(pageHits)),
      });
    }, words ? QUIET_MS : 0);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [client, viewer, words, tries]);
  return { hits, error: hits?.words === words ? error : undefined, again: () => setTries(tries + 1) };
}

/** Views to go to, of which one knows the name. */
function useViews(words: string): Hit[] {
  const t = useTexts();
  const a = useAdminTexts();
  const viewer = useViewer();
  return useMemo(() => {
    const mine: Hit[] = [
      { id: 'view:home', href: '/', title: t.myWork, about: '' },
      { id: 'view:notifications', href: toMine('notifications'), title: t.notifications, about: '' },
      { id: 'view:tokens', href: toMine('tokens'), title: t.tokens, about: '' },
    ];
    const ofAll = viewer.organizations.nodes.flatMap((organization) => areasOf(organization).map((area): Hit => ({
      id: `view:${organization.id}:${area}`, href: toAdmin(organization.id, area), title: a.areas[area], about: `${t.administration} · ${organization.title}`,
    })));
    const lowered = words.toLowerCase();
    return [...mine, ...ofAll].filter((hit) => lowered !== '' && `${hit.title} ${hit.about}`.toLowerCase().includes(lowered)).slice(0, 8);
  }, [t, a, viewer, words]);
}

export default function Palette({ text, onText, onClose }: { text: string; onText: (text: string) => void; onClose: () => void }) {
  const t = useTexts();
  const [, navigate] = useLocation();
  const { hits: answer, error, again } = useSearch(text.trim());
  // What was typed before this was here goes on behind it.
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.setSelectionRange(text.length, text.length), []);
  // Until the answer is there, what has these words: Enter leads to nothing that was meant by others.
  const hits = useMemo(() => {
    const words = text.trim().toLowerCase();
    if (answer === null || answer.words === text.trim()) return answer;
    const fitting = (all: Hit[]): Hit[] => all.filter(({ title, about }) => `${title} ${about}`.toLowerCase().includes(words));
    return { ...answer, spaces: fitting(answer.spaces), pages: words ? fitting(answer.pages) : [] };
  }, [answer, text]);
  const named = useViews(text.trim());
  const sections = useMemo(
    () => [
      { id: 'views', title: t.goTo, hits: named },
      { id: 'spaces', title: t.spaces, hits: hits?.spaces ?? [] },
      { id: 'pages', title: t.pages, hits: hits?.pages ?? [] },
    ].filter((section) => section.hits.length > 0),
    [hits, named, t],
  );
  const go = (key: unknown): void => {
    const hit = [...named, ...(hits?.spaces ?? []), ...(hits?.pages ?? [])].find((hit) => hit.id === key);
    if (hit === undefined) return;
    onClose();
    navigate(hit.href);
  };
  const isSearching = hits === null || hits.words !== text.trim();
  return (
    <Autocomplete inputValue={text} onInputChange={onText}>
      <TextField aria-label={t.searchEverything} autoFocus>
        <Input ref={field} className={css.paletteInput ?? ''} placeholder={t.searchPlaceholder} />
      </TextField>
      <FailureNotice error={error} again={again} back={field} />
      <Menu
        aria-label={t.results}
        className={css.results ?? ''}
        items={sections}
        onAction={go}
        renderEmptyState={() => <p className={css.paletteNote}>{emptyOf(t, error, !isSearching, hits?.words ? t.nothingFound(hits.words) : t.searchPlaceholder)}</p>}
      >
        {(section) => (
          <MenuSection id={section.id}>
            <Header className={ui.menuHeader ?? ''}>{section.title}</Header>
            {section.hits.map((hit) => (
              <MenuItem key={hit.id} id={hit.id} className={css.result ?? ''} textValue={hit.title}>
                <bdi className={ui.rowTitle}>{hit.title}</bdi>
                {hit.about ? <span className={css.resultAbout}><bdi>{hit.about}</bdi></span> : null}
              </MenuItem>
            ))}
          </MenuSection>
        )}
      </Menu>
      {hits?.isMore && hits.words ? <p role="status" className={css.paletteNote}>{t.typeMore}</p> : null}
    </Autocomplete>
  );
}
