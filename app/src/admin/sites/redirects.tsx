/** Redirects of a site: former addresses and where they lead. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { Badge, Button, Empty, ui } from '../../ui/ui.tsx';
import { admin, Careful, FormDialog, More, Text, Tick, useRested } from '../kit.tsx';
import type { PartOfSite } from './site.tsx';

const REDIRECTS = graphql(`
  query SiteRedirects($id: ID!, $first: Int!, $search: String) {
    site(id: $id) {
      id
      redirects(first: $first, search: $search) {
        nodes { id source permanent captureWildcard draft broken destination { kind url } }
        pageInfo { hasNextPage }
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

export default function Redirects({ site }: PartOfSite) {
  const a = useAdminTexts();
  const [words, setWords] = useState('');
  const search = useRested(words.trim());
  const [first, more] = useMore();
  const [creating, setCreating] = useState(false);
  const [source, setSource, forgetSource] = useDraft(`redirect ${site.id} from`);
  const [url, setUrl, forgetUrl] = useDraft(`redirect ${site.id} to`);
  const [isTemporary, setTemporary] = useState(false);
  const [isWildcard, setWildcard] = useState(false);
  const result = useRead(REDIRECTS, { id: site.id, first, search: search || null });
  const { write, busy, error } = useWrite(CREATE);
  const removing = useWrite(REMOVE);
  const send = async (): Promise<void> => {
    const input = {
      source: source.trim(), destination: { kind: 'URL' as const, url: url.trim() }, permanent: !isTemporary, captureWildcard: isWildcard,
    };
    if (!(await write({ site: site.id, input }))) return;
    forgetSource(source);
    forgetUrl(url);
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
                {nodes.map((one) => (
                  <li key={one.id} className={admin.item}>
                    <div className={admin.line}>
                      <div className={admin.main}>
                        <span className={ui.rowTitle}><code>{one.source}</code></span>
                        <span className={ui.hint}>{a.redirects.target} <bdi>{one.destination.url ?? a.redirects.kinds[one.destination.kind]}</bdi></span>
                      </div>
                      <div className={admin.side}>
                        {one.broken ? <Badge tone="bad">{a.redirects.broken}</Badge> : null}
                        {one.draft ? <Badge>{a.redirects.draft}</Badge> : null}
                        {one.captureWildcard ? <Badge>{a.redirects.wildcard}</Badge> : null}
                        {one.permanent ? null : <Badge>{a.redirects.temporary}</Badge>}
                        {site.permissions.edit ? (
                          <Careful
                            label={<>{a.remove}<span className="hidden-text"> {one.source}</span></>} title={a.redirects.removeTitle(one.source)} about={a.redirects.removeAbout} action={a.remove}
                            onDo={() => removing.write({ id: one.id })} busy={removing.busy} error={removing.error}
                          />
                        ) : null}
                      </div>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <More has={pageInfo.hasNextPage} onMore={more} />
          </>
        )}
      </Reading>
      <FormDialog title={a.redirects.create} action={a.add} isOpen={creating} onClose={() => setCreating(false)} onSend={send} busy={busy} error={error}>
        <Text label={a.redirects.source} hint={a.redirects.sourceHint} value={source} onChange={setSource} required autoFocus />
        <Text type="url" label={a.redirects.target} hint={a.redirects.targetHint} value={url} onChange={setUrl} required />
        <Tick label={a.redirects.wildcard} checked={isWildcard} onChange={setWildcard} />
        <Tick label={a.redirects.temporary} checked={isTemporary} onChange={setTemporary} />
      </FormDialog>
    </div>
  );
}
