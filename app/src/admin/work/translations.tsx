/** Spaces that are kept in other languages. */

import { useState } from 'react';
import { Link } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import type { Language, TranslationRowFragment, TranslationStatus } from '../../graph/generated/graphql.ts';
import { useMore } from '../../graph/more.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { toSpace } from '../../place.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useLanguage } from '../../texts/texts.tsx';
import { Ago } from '../../texts/times.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, More, Notice, type Tone, ui } from '../../ui/ui.tsx';
import { views } from '../../views/parts.tsx';
import { admin, Careful, Choice } from '../kit.tsx';
import { AdminHead, type Organization } from '../organization.tsx';
import { SpaceChoice } from '../space-choice.tsx';

export const TRANSLATION_ROW = graphql(`
  fragment TranslationRow on Translation {
    id status error language updatedAt
    source { language }
    stats { runs latestPages latestWords untranslated }
    permissions { edit }
    sourceSpace { id title }
    resultSpace { id title }
  }
`);
const LIST = graphql(`
  query Translations($organization: ID!, $first: Int!, $after: String) {
    organization(id: $organization) { id translations(first: $first, after: $after) { nodes { ...TranslationRow } pageInfo { hasNextPage endCursor } } }
  }
`);
const CREATE = graphql(`
  mutation CreateTranslation($organization: ID!, $input: CreateTranslationInput!) { createTranslation(organizationId: $organization, input: $input) { id } }
`);
const RUN = graphql(`
  mutation RunTranslation($id: ID!) { runTranslation(id: $id) { ...TranslationRow } }
`);
const DELETE = graphql(`
  mutation DeleteTranslation($id: ID!) { deleteTranslation(id: $id) { deletedId } }
`);

const LANGUAGES: readonly Language[] = [
  'EN', 'FR', 'DE', 'ES', 'IT', 'PT', 'PT_BR', 'RU', 'JA', 'ZH', 'ZH_TW', 'YUE', 'KO', 'AR', 'HI', 'NL', 'PL', 'TR', 'SV', 'NO', 'DA', 'FI', 'EL', 'CS',
  'HU', 'RO', 'TH', 'VI', 'ID', 'MS', 'HE', 'UK', 'SK', 'BG', 'HR', 'LT', 'LV', 'ET', 'SL',
];
const TONES: Record<TranslationStatus, Tone> = { PENDING: 'neutral', RUNNING: 'accent', COMPLETED: 'good' };

function useNames(): (language: Language) => string {
  const { code } = useLanguage();
  const names = new Intl.DisplayNames(code, { type: 'language' });
  return (language) => names.of(language.toLowerCase().replace('_', '-')) ?? language;
}

function Row({ row }: { row: TranslationRowFragment }) {
  const a = useAdminTexts();
  const nameOf = useNames();
  const running = useWrite(RUN);
  const deleting = useWrite(DELETE);
  return (
    <li className={admin.item}>
      <div className={admin.line}>
        <div className={admin.main}>
          <span className={ui.rowTitle}><Link href={toSpace(row.sourceSpace.id)}><bdi>{row.sourceSpace.title}</bdi></Link> → <Link href={toSpace(row.resultSpace.id)}><bdi>{row.resultSpace.title}</bdi></Link></span>
          <span className={ui.hint}>
            {nameOf(row.source.language)} → {nameOf(row.language)} · <Ago at={row.updatedAt} />
            {row.stats.runs > 0 ? ` · ${a.translations.pages(row.stats.latestPages)}, ${a.translations.words(row.stats.latestWords)}` : ''}
            {row.stats.untranslated > 0 ? ` · ${a.translations.untranslated(row.stats.untranslated)}` : ''}
          </span>
        </div>
        <div className={admin.side}>
          <Badge tone={row.error ? 'bad' : TONES[row.status]}>{row.error ? a.jobs.states['FAILED'] : a.translations.states[row.status]}</Badge>
          {row.permissions.edit ? (
            <>
              <Button look="plain" isDisabled={running.busy} onPress={() => void running.write({ id: row.id })}>{a.translations.run}<span className="hidden-text"> {row.sourceSpace.title}</span></Button>
              <Careful
                label={<>{a.translations.end}<span className="hidden-text"> {row.sourceSpace.title}</span></>} title={a.translations.deleteTitle(row.sourceSpace.title)} about={a.translations.deleteAbout} action={a.translations.end}
                onDo={() => deleting.write({ id: row.id })} busy={deleting.busy} error={deleting.error}
              />
            </>
          ) : null}
        </div>
      </div>
      {row.error ? <Notice tone="bad"><bdi>{row.error}</bdi></Notice> : null}
      <FailureNotice error={running.error} />
    </li>
  );
}

export default function TranslationsView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const nameOf = useNames();
  const list = useMore();
  const [creating, setCreating] = useState(false);
  const [space, setSpace] = useState('');
  const [isSent, setSent] = useState(false);
  const [from, setFrom] = useState<Language>('EN');
  const [into, setInto] = useState<Language>('DE');
  const result = useRead(LIST, { organization: organization.id, first: list.first, after: list.after });
  const { write, busy, error } = useWrite(CREATE);
  const languages = LANGUAGES.map((language) => [language, nameOf(language)] as const);
  return (
    <>
      <AdminHead organization={organization} area="translations" lead={a.translations.lead} />
      {organization.permissions.admin ? <div className={admin.toolbar}><Button look="primary" onPress={() => {
        setSent(false);
        setCreating(true);
      }}>{a.translations.create}</Button></div> : null}
      <Reading result={result} pick={(data) => data.organization?.translations}>
        {({ nodes, pageInfo }) => (
          <div className={views.section}>
            {nodes.length === 0 ? <Empty>{a.translations.none}</Empty> : <ul className={ui.rows}>{nodes.map((row) => <Row key={row.id} row={row} />)}</ul>}
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
      <FormDialog
        title={a.translations.create} action={a.add} isOpen={creating} onClose={() => setCreating(false)} busy={busy} error={error}
        onSend={async () => {
          setSent(true);
          if (space && (await write({ organization: organization.id, input: { source: { space, language: from }, language: into } }))) setCreating(false);
        }}
      >
        <SpaceChoice organization={organization.id} label={a.translations.source} value={space} isMissing={isSent} onChange={setSpace} />
        <Choice label={a.imports.from} value={from} options={languages} onChange={setFrom} />
        <Choice label={a.translations.language} value={into} options={languages} onChange={setInto} />
      </FormDialog>
    </>
  );
}
