/** What a site shows: its sections and spaces, in order. */

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import type { ShownSpaceFragment } from '../../graph/generated/graphql.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { toSpace } from '../../place.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FailureNotice } from '../../ui/failure.tsx';
import { Badge, Button, Empty, ui } from '../../ui/ui.tsx';
import { admin, Careful, Choice, FormDialog, Text } from '../kit.tsx';
import { useSpaces } from './list.tsx';
import type { PartOfSite } from './site.tsx';

export const SHOWN_SPACE = graphql(`
  fragment ShownSpace on SiteSpace { id title path default condition sectionId space { id title } }
`);
const STRUCTURE = graphql(`
  query SiteContent($id: ID!) {
    site(id: $id) {
      id
      sections(first: 60) { nodes { id title path default sectionGroup { id title } siteSpaces(first: 40) { nodes { ...ShownSpace } } } }
      siteSpaces(first: 200) { nodes { ...ShownSpace } }
    }
  }
`);
const ADD_SPACE = graphql(`
  mutation AddSiteSpace($site: ID!, $input: AddSiteSpaceInput!) { addSiteSpace(siteId: $site, input: $input) { id } }
`);
const ADD_SECTION = graphql(`
  mutation AddSiteSection($site: ID!, $input: AddSiteSectionInput!) { addSiteSection(siteId: $site, input: $input) { id } }
`);
const REMOVE_SPACE = graphql(`
  mutation RemoveSiteSpace($id: ID!) { deleteSiteSpace(id: $id) { deletedId } }
`);
const REMOVE_SECTION = graphql(`
  mutation RemoveSiteSection($id: ID!) { deleteSiteSection(id: $id) { deletedId } }
`);
const SORT = graphql(`
  mutation SortSite($id: ID!, $input: SortSiteStructureInput!) { sortSiteStructure(id: $id, input: $input) { __typename } }
`);
const FIRST = graphql(`
  mutation ShowFirst($id: ID!, $input: UpdateSiteInput!) { updateSite(id: $id, input: $input) { id } }
`);

type Kind = 'site-space' | 'site-section';

/** Buttons of an item: before the one above it, behind the one below it. */
function Order({ site, kind, title, id, before, after }: {
  site: string; kind: Kind; title: string; id: string; before: string | undefined; after: string | undefined;
}) {
  const a = useAdminTexts();
  const { write, busy, error } = useWrite(SORT);
  const sort = (position: object): void => void write({ id: site, input: { item: { type: kind, id }, position } });
  return (
    <>
      <Button look="icon" aria-label={a.structure.up(title)} isDisabled={busy || before === undefined} onPress={() => sort({ before: { type: kind, id: before } })}><ArrowUp size={16} aria-hidden /></Button>
      <Button look="icon" aria-label={a.structure.down(title)} isDisabled={busy || after === undefined} onPress={() => sort({ after: { type: kind, id: after } })}><ArrowDown size={16} aria-hidden /></Button>
      <FailureNotice error={error} />
    </>
  );
}

function Spaces({ site, spaces, mayEdit }: { site: string; spaces: readonly ShownSpaceFragment[]; mayEdit: boolean }) {
  const a = useAdminTexts();
  const removing = useWrite(REMOVE_SPACE);
  const first = useWrite(FIRST);
  return (
    <>
      {spaces.map((one, index) => (
        <li key={one.id} className={admin.line}>
          <div className={admin.main}>
            <span><Link href={toSpace(one.space.id)}><bdi>{one.title}</bdi></Link> {one.default ? <Badge tone="accent">{a.sites.isDefault}</Badge> : null}</span>
            <span className={ui.hint}>/{one.path}{one.condition ? <> · <code>{one.condition}</code></> : null}</span>
          </div>
          {mayEdit ? (
            <div className={admin.side}>
              <Order site={site} kind="site-space" title={one.title} id={one.id} before={spaces[index - 1]?.id} after={spaces[index + 1]?.id} />
              {one.default ? null : <Button look="plain" isDisabled={first.busy} onPress={() => void first.write({ id: site, input: { defaultSiteSpace: one.id } })}>{a.structure.makeDefault}<span className="hidden-text"> {one.title}</span></Button>}
              <Careful
                label={<>{a.structure.take}<span className="hidden-text"> {one.title}</span></>} title={a.structure.takeOutTitle(one.title)} about={a.structure.takeOutAbout} action={a.structure.take}
                onDo={() => removing.write({ id: one.id })} busy={removing.busy} error={removing.error}
              />
            </div>
          ) : null}
        </li>
      ))}
      {first.error ? <li><FailureNotice error={first.error} /></li> : null}
    </>
  );
}

export default function Structure({ organization, site }: PartOfSite) {
  const a = useAdminTexts();
  const result = useRead(STRUCTURE, { id: site.id });
  const [adding, setAdding] = useState<'space' | 'section' | null>(null);
  const [space, setSpace] = useState('');
  const [section, setSection] = useState('');
  const [title, setTitle] = useState('');
  const spaces = useSpaces(organization.id, adding === null);
  const addSpace = useWrite(ADD_SPACE);
  const addSection = useWrite(ADD_SECTION);
  const removeSection = useWrite(REMOVE_SECTION);
  const mayEdit = site.permissions.edit;
  const close = (): void => setAdding(null);
  const chosen = space || spaces[0]?.[0] || '';
  return (
    <Reading result={result} pick={(data) => data.site}>
      {({ sections, siteSpaces }) => {
        const loose = siteSpaces.nodes.filter((one) => one.sectionId === null);
        const rows = sections.nodes;
        return (
          <div className={admin.form}>
            <p className={ui.hint}>{a.structure.about}</p>
            {mayEdit ? (
              <div className={admin.line}>
                <Button onPress={() => setAdding('space')}>{a.structure.addSpace}</Button>
                <Button onPress={() => setAdding('section')}>{a.structure.addSection}</Button>
              </div>
            ) : null}
            {rows.length === 0 && loose.length === 0 ? <Empty>{a.structure.none}</Empty> : (
              <ul className={ui.rows}>
                {rows.map((one, index) => (
                  <li key={one.id} className={admin.item}>
                    <div className={admin.line}>
                      <div className={admin.main}>
                        <span className={ui.rowTitle}><bdi>{one.title}</bdi> {one.default ? <Badge tone="accent">{a.sites.isDefault}</Badge> : null}</span>
                        <span className={ui.hint}>{a.structure.section} · /{one.path}{one.sectionGroup ? <> · <bdi>{one.sectionGroup.title}</bdi></> : null}</span>
                      </div>
                      {mayEdit ? (
                        <div className={admin.side}>
                          <Order site={site.id} kind="site-section" title={one.title} id={one.id} before={rows[index - 1]?.id} after={rows[index + 1]?.id} />
                          <Careful
                            label={<>{a.structure.take}<span className="hidden-text"> {one.title}</span></>} title={a.structure.takeOutTitle(one.title)} about={a.structure.takeOutAbout} action={a.structure.take}
                            onDo={() => removeSection.write({ id: one.id })} busy={removeSection.busy} error={removeSection.error}
                          />
                        </div>
                      ) : null}
                    </div>
                    <ul className={admin.kids}><Spaces site={site.id} spaces={one.siteSpaces.nodes} mayEdit={mayEdit} /></ul>
                  </li>
                ))}
                {loose.length > 0 ? <li className={admin.item}><ul className={admin.plainList}><Spaces site={site.id} spaces={loose} mayEdit={mayEdit} /></ul></li> : null}
              </ul>
            )}
            <FormDialog
              title={a.structure.addSpace} action={a.add} isOpen={adding === 'space'} onClose={close} busy={addSpace.busy} error={addSpace.error}
              onSend={async () => {
                if (chosen && (await addSpace.write({ site: site.id, input: { spaceId: chosen, sectionId: section || null } }))) close();
              }}
            >
              <Choice label={a.structure.space} value={chosen} options={spaces} onChange={setSpace} />
              {rows.length > 0 ? <Choice label={a.structure.into} value={section} options={[['', a.structure.noSection], ...rows.map((one) => [one.id, one.title] as const)]} onChange={setSection} /> : null}
            </FormDialog>
            <FormDialog
              title={a.structure.addSection} action={a.add} isOpen={adding === 'section'} onClose={close} busy={addSection.busy} error={addSection.error}
              onSend={async () => {
                if (chosen && (await addSection.write({ site: site.id, input: { spaceId: chosen, title: title.trim() || null } }))) close();
              }}
            >
              <Text label={a.structure.sectionTitle} value={title} onChange={setTitle} autoFocus />
              <Choice label={a.structure.space} value={chosen} options={spaces} onChange={setSpace} />
            </FormDialog>
          </div>
        );
      }}
    </Reading>
  );
}
