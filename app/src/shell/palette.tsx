/** Search over everything that somebody may read: spaces by title, pages by what they say. */

import { useEffect, useMemo, useState } from 'react';
import {
  Autocomplete, Dialog, Header, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, TextField,
} from 'react-aria-components';
import { useClient } from 'urql';
import { useLocation } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { SearchEverythingQuery } from '../graph/generated/graphql.ts';
import { toAdmin, toMine, toPage, toSpace } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { ui } from '../ui/ui.tsx';
import type { CombinedError } from 'urql';
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
          }
        }
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
interface Found {
  readonly words: string;
  readonly spaces: Hit[];
  readonly pages: Hit[];
}

type Space = NonNullable<SearchEverythingQuery['organization']>['search']['nodes'][number];

function pageHits(space: Space): Hit[] {
  return space.pages.nodes.map((page) => {
    const where = [space.title, ...page.ancestors.map((one) => one.title)].join(' › ');
    const said = page.sections.map((section) => section.body).find(Boolean) ?? page.description;
    return {
      id: `page:${space.spaceId}:${page.pageId}`,
      href: toPage(space.spaceId, page.path),
      title: page.title,
      about: said ? `${where} · ${said.slice(0, EXTRACT)}` : where,
    };
  });
}

function useSearch(words: string): { found: Found | null; error: CombinedError | undefined } {
  const client = useClient();
  const viewer = useViewer();
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<CombinedError>();
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
      setFound({
        words,
        spaces: parts.flatMap(({ spaces }) =>
          (spaces.data?.organization?.spaces.nodes ?? []).map((space) => ({
            id: `space:${space.id}`, href: toSpace(space.id), title: space.title, about: '',
          })),
        ),
        pages: parts.flatMap(({ pages }) => (pages?.data?.organization?.search.nodes ?? []).flatMap(pageHits)),
      });
    }, words ? QUIET_MS : 0);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [client, viewer, words]);
  return { found, error };
}

/** Views to go to, of which one knows the name. */
function useViews(words: string): Hit[] {
  const t = useTexts();
  const viewer = useViewer();
  return useMemo(() => {
    const mine: Hit[] = [
      { id: 'view:home', href: '/', title: t.myWork, about: '' },
      { id: 'view:notifications', href: toMine('notifications'), title: t.notifications, about: '' },
      { id: 'view:tokens', href: toMine('tokens'), title: t.tokens, about: '' },
    ];
    const areas = [['people', t.members], ['sites', t.sites], ['jobs', t.jobs], ['audit', t.auditLog]] as const;
    const ofAll = viewer.organizations.nodes.flatMap((organization) => areas.map(([area, title]): Hit => ({
      id: `view:${organization.id}:${area}`, href: toAdmin(organization.id, area), title, about: `${t.administration} · ${organization.title}`,
    })));
    const sought = words.toLowerCase();
    return [...mine, ...ofAll].filter((one) => sought !== '' && `${one.title} ${one.about}`.toLowerCase().includes(sought)).slice(0, 8);
  }, [t, viewer, words]);
}

export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const { found, error } = useSearch(text.trim());
  const named = useViews(text.trim());
  const sections = useMemo(
    () => [
      { id: 'views', title: t.goTo, hits: named },
      { id: 'spaces', title: t.spaces, hits: found?.spaces ?? [] },
      { id: 'pages', title: t.pages, hits: found?.pages ?? [] },
    ].filter((section) => section.hits.length > 0),
    [found, named, t],
  );
  const go = (key: unknown): void => {
    const hit = [...named, ...(found?.spaces ?? []), ...(found?.pages ?? [])].find((one) => one.id === key);
    if (hit === undefined) return;
    onClose();
    navigate(hit.href);
  };
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => open || onClose()} className={ui.overlay ?? ''}>
      <Modal className={`${ui.modal} ${ui.wide}`}>
        <Dialog aria-label={t.searchEverything} className={css.palette ?? ''}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <TextField aria-label={t.searchEverything} autoFocus>
              <Input className={css.paletteInput ?? ''} placeholder={t.searchPlaceholder} />
            </TextField>
            <FailureNotice error={error} />
            <Menu
              aria-label={t.results}
              className={css.results ?? ''}
              items={sections}
              onAction={go}
              renderEmptyState={() => (
                <p className={css.paletteNote}>{found?.words && !error ? t.nothingFound(found.words) : t.searching}</p>
              )}
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
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
