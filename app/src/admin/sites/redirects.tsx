/** Redirects of a site: former addresses and where they lead. */

import { useState } from 'react';
import { Link } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import type { SiteRedirectKind, SiteRedirectsQuery } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, Unread, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { toPage } from '../../place.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, More, ui } from '../../ui/ui.tsx';
import { admin, Careful, Choice, Text, Tick, useRested } from '../kit.tsx';
import { type ChosenPage, PagePicker } from './page-picker.tsx';
import type { PartOfSite } from './site.tsx';

const REDIRECTS = graphql(`
  query SiteRedirects($id: ID!, $first: Int!, $after: String, $search: String) {
    site(id: $id) {
      id
      redirects(first: $first, after: $after, search: $search) {
        nodes {
          id source permanent captureWildcard draft broken
          destination { kind url siteSection { id title } siteSpace { id title space { id } } page { id title path } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);
const CREATE = graphql(`
  mutation CreateRedirect($site: ID!, $input: CreateSiteRedirectInput!) { createSiteRedirect(siteId: $site, input: $input) { id } }
`);
const REMOVE = graphql(`
  mutation RemoveRedirect($id: ID!) { deleteSiteRedirect(id: $id) { deletedId } }
`);

const TARGETS = graphql(`
  query RedirectTargets($id: ID!) {
    site(id: $id) {
      id
      sections(first: 500) { nodes { id title } }
      siteSpaces(first: 1000) { nodes { id title space { id title } } }
    }
  }
`);

type Destination = NonNullable<SiteRedirectsQuery['site']>['redirects']['nodes'][number]['destination'];

function Target({ to }: { to: Destination }) {
  const a = useAdminTexts();
  if (to.page && to.siteSpace) {
    return <Link href={toPage(to.siteSpace.space.id, to.page.path)}><bdi>{to.page.title}</bdi> (<bdi>{to.siteSpace.title}</bdi>)</Link>;
  }
  const place = to.kind === 'SITE_PAGE' ? null : (to.siteSection ?? to.siteSpace);
  return <bdi>{to.url ?? place?.title ?? a.redirects.kinds[to.kind]}</bdi>;
}

export default function Redirects({ site }: PartOfSite) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const search = useRested(words.trim());
  const list = useMore(undefined, undefined, search);
  const [creating, setCreating] = useState(false);
  const [source, setSource, forgetSource] = useDraft(`redirect ${site.id} from`);
  const [url, setUrl, forgetUrl] = useDraft(`redirect ${site.id} to`);
  const [kind, setKind] = useState<SiteRedirectKind>('SITE_PAGE');
  const [space, setSpace] = useState('');
  const [section, setSection] = useState('');
  const [page, setPage] = useState<ChosenPage | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [isTemporary, setTemporary] = useState(false);
  const [isWildcard, setWildcard] = useState(false);
  const result = useRead(REDIRECTS, { id: site.id, first: list.first, after: list.after, search: search || null });
  const reading = useRead(TARGETS, { id: site.id }, !creating);
  const targets = reading.data?.site;
  const spaces = targets?.siteSpaces.nodes ?? [];
  const sections = targets?.sections.nodes ?? [];
  const shown = spaces.find((candidate) => candidate.id === space) ?? spaces[0];
  const { write, busy, error } = useWrite(CREATE);
  const removing = useWrite(REMOVE);
  const send = async (): Promise<void> => {
    // What is typed is not chosen yet.
    setMissing(kind === 'SITE_PAGE' && page === null);
    if (kind === 'SITE_PAGE' && page === null) return;
    const destination = {
      SITE_PAGE: { siteSpaceId: shown?.id ?? '', pageId: page?.id ?? '' }, SITE_SPACE: { siteSpaceId: shown?.id ?? '' },
      SITE_SECTION: { siteSectionId: section || (sections[0]?.id ?? '') }, URL: { url: url.trim() },
    }[kind];
    const input = { source: source.trim(), destination: { kind, ...destination }, permanent: !isTemporary, captureWildcard: isWildcard };
    if (!(await write({ site: site.id, input }))) return;
    forgetSource(source);
    forgetUrl(url);
    setPage(null);
    setCreating(false);
  };
  return (
    <div className={admin.form}>
      <p className={ui.hint}>{a.redirects.about}</p>
      <div className={admin.toolbar}>
        <div className={admin.grow}><Text type="search" label={a.redirects.search} value={words} onChange={setWords} /></div>
        {site.permissions.edit ? <span className={admin.push}><Button look="primary" onPress={() => setCreating(true)}>{a.redirects.create}</Button></span> : null}
      </div>
      <Reading result={result} pick={(data) => data.site?.redirects}>
        {({ nodes, pageInfo }) => (
          <>
            {nodes.length === 0 ? <Empty>{a.redirects.none}</Empty> : (
              <ul className={ui.rows}>
                {nodes.map((candidate) => (
                  <li key={candidate.id} className={admin.item}>
                    <div className={admin.line}>
                      <div className={admin.main}>
                        <span className={ui.rowTitle}><code>{candidate.source}</code></span>
                        <span className={ui.hint}>{a.redirects.target} <Target to={candidate.destination} /></span>
                      </div>
                      <div className={admin.side}>
                        {candidate.broken ? <Badge tone="bad">{a.redirects.broken}</Badge> : null}
                        {candidate.draft ? <Badge>{a.redirects.draft}</Badge> : null}
                        {candidate.captureWildcard ? <Badge>{a.redirects.wildcard}</Badge> : null}
                        {candidate.permanent ? null : <Badge>{a.redirects.temporary}</Badge>}
                        {site.permissions.edit ? (
                          <Careful
                            label={<>{a.remove}<span className="hidden-text"> {candidate.source}</span></>} title={a.redirects.removeTitle(candidate.source)} about={a.redirects.removeAbout} action={a.remove}
                            onDo={() => removing.write({ id: candidate.id })} busy={removing.busy} error={removing.error}
                          />
                        ) : null}
                      </div>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <More list={list} info={pageInfo} />
          </>
        )}
      </Reading>
      <FormDialog title={a.redirects.create} action={a.add} isOpen={creating} onClose={() => setCreating(false)} onSend={send} busy={busy} error={error}>
        <Text label={a.redirects.source} hint={a.redirects.sourceHint} value={source} onChange={setSource} required autoFocus />
        <Choice
          label={a.redirects.target} value={kind} onChange={setKind}
          options={(Object.entries(a.redirects.targets) as Array<[SiteRedirectKind, string]>).filter(([candidate]) => candidate !== 'SITE_SECTION' || sections.length > 0)}
        />
        <Unread {...reading} />
        {kind === 'URL' ? <Text type="url" label={a.redirects.address} hint={a.redirects.targetHint} value={url} onChange={setUrl} required /> : null}
        {kind === 'SITE_SECTION' ? <Choice label={a.redirects.section} value={section || (sections[0]?.id ?? '')} onChange={setSection} options={sections.map((candidate) => [candidate.id, candidate.title] as const)} /> : null}
        {(kind === 'SITE_SPACE' || (kind === 'SITE_PAGE' && spaces.length > 1)) && shown ? (
          <Choice
            label={a.redirects.space} value={shown.id} options={spaces.map((candidate) => [candidate.id, candidate.title] as const)}
            onChange={(next) => {
              setSpace(next);
              setPage(null);
            }}
          />
        ) : null}
        {kind === 'SITE_PAGE' && shown ? (
          <PagePicker key={shown.id} space={shown.space.id} label={a.redirects.page} hint={a.redirects.pageHint} chosen={page} isMissing={isMissing} onPick={setPage} />
        ) : null}
        <Tick label={a.redirects.wildcard} checked={isWildcard} onChange={setWildcard} />
        <Tick label={a.redirects.temporary} checked={isTemporary} onChange={setTemporary} />
      </FormDialog>
    </div>
  );
}
