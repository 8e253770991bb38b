/** The audit log of an organization: filters in the address, entries by cursor. */

import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { AuditDoor, AuditLogQueryVariables, AuditObjectType, AuditRowFragment } from '../graph/generated/graphql.ts';
import { Portions } from '../graph/portions.tsx';
import { useAdminTexts } from '../texts/admin/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { Button, Empty, ui } from '../ui/ui.tsx';
import { views } from '../views/parts.tsx';
import { admin, Choice, Text } from './kit.tsx';
import { AdminHead, type Organization } from './organization.tsx';
import { PersonPicker } from './people/picker.tsx';

export const AUDIT_ROW = graphql(`
  fragment AuditRow on AuditEntry {
    id at action door address
    actor { kind userId name }
    object { type objectId name }
    person { userId name }
    affectedCount
    changes { kind field before after objectType }
  }
`);

const LOG = graphql(`
  query AuditLog(
    $organization: ID!, $after: String, $actor: ID, $action: String, $objectType: AuditObjectType, $door: AuditDoor,
    $since: DateTime, $until: DateTime
  ) {
    organization(id: $organization) {
      id
      auditLog(
        first: 40, after: $after, actor: $actor, action: $action, objectType: $objectType, door: $door, since: $since, until: $until
      ) {
        nodes { ...AuditRow }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const TYPES: readonly AuditObjectType[] = [
  'ORGANIZATION', 'MEMBER', 'TEAM', 'INVITATION', 'TOKEN', 'SERVICE_ACCOUNT', 'COLLECTION', 'SPACE', 'CHANGE_REQUEST', 'REVIEW', 'PAGE', 'FILE',
  'REUSABLE_CONTENT', 'COMMENT', 'SITE', 'SITE_SPACE', 'SITE_SECTION', 'SHARE_LINK', 'SITE_REDIRECT', 'CUSTOM_HOSTNAME', 'JOB', 'SPECIFICATION',
  'TRANSLATION', 'WEBHOOK', 'INTEGRATION', 'INSTALLATION', 'AUDIT_LOG',
];
const DOORS: readonly AuditDoor[] = ['GRAPHQL', 'V1', 'PAGE', 'COMMAND', 'JOB'];

/** `updateMember` and `SITE_SPACE` in words, as they are. */
const inWords = (name: string): string =>
  (name === name.toUpperCase() ? name.toLowerCase() : name.replace(/([A-Z])/gu, ' $1').toLowerCase()).replaceAll('_', ' ');

/** Changes of an entry that are shown before one asks for all. */
const SHOWN = 3;

function Change({ change }: { change: AuditRowFragment['changes'][number] }) {
  const a = useAdminTexts();
  return (
    <div>
      {inWords(change.field)}: <del><bdi>{change.before ?? a.audit.nothing}</bdi></del> → <ins><bdi>{change.after ?? a.audit.nothing}</bdi></ins>
    </div>
  );
}

function Entry({ entry, place }: { entry: AuditRowFragment; place: number }) {
  const a = useAdminTexts();
  const nameless: Record<string, string> = { SYSTEM: a.audit.system, OPERATOR: a.audit.operator, ANONYMOUS: a.audit.nobody };
  return (
    <tr aria-rowindex={place}>
      <td><Ago at={entry.at} /></td>
      <td><bdi>{entry.actor.name ?? nameless[entry.actor.kind] ?? a.audit.nobody}</bdi></td>
      <td><span title={entry.action}>{inWords(entry.action)}</span></td>
      <td>
        {inWords(entry.object.type)}: <bdi>{entry.object.name ?? a.audit.gone}</bdi>
        {entry.person?.name ? <><br /><span className={ui.hint}>{a.audit.about(entry.person.name)}</span></> : null}
      </td>
      <td>
        {entry.changes.slice(0, SHOWN).map((change, index) => <Change key={index} change={change} />)}
        {entry.changes.length > SHOWN ? (
          <details>
            <summary>{a.audit.moreChanges(entry.changes.length - SHOWN)}</summary>
            {entry.changes.slice(SHOWN).map((change, index) => <Change key={index} change={change} />)}
          </details>
        ) : null}
        {entry.affectedCount > 0 ? <span className={ui.hint}>{a.audit.affected(entry.affectedCount)}</span> : null}
      </td>
      <td>{a.audit.doors[entry.door]}{entry.address ? <><br /><span className={ui.hint}>{entry.address}</span></> : null}</td>
    </tr>
  );
}

type Filters = Omit<AuditLogQueryVariables, 'organization' | 'after'>;

/** Widths of the columns: they stay where they are while rows come and go. */
const COLUMNS = [['when', 12], ['who', 14], ['what', 14], ['where', 19], ['changes', 28], ['through', 13]] as const;

function Log({ organization, filters }: { organization: string; filters: Filters }) {
  const a = useAdminTexts();
  const t = useTexts();
  return (
    <Portions
      query={LOG} variables={{ organization, ...filters }} pick={(data) => data.organization?.auditLog} kind="tbody" columns={COLUMNS.length} label={t.showOlder} empty={<Empty>{a.audit.none}</Empty>}
      around={(portions) => (
        <div className={admin.scroll} tabIndex={0} role="region" aria-label={a.areas.audit}>
          <table className={`${admin.table} ${admin.log}`} aria-rowcount={-1}>
            <colgroup>{COLUMNS.map(([name, width]) => <col key={name} style={{ inlineSize: `${width}%` }} />)}</colgroup>
            <thead><tr aria-rowindex={1}>{COLUMNS.map(([name]) => <th key={name} scope="col">{a.audit[name]}</th>)}</tr></thead>
            {portions}
          </table>
        </div>
      )}
    >
      {(nodes, before) => nodes.map((entry, index) => <Entry key={entry.id} entry={entry} place={before + index + 2} />)}
    </Portions>
  );
}

const NAMES = ['actor', 'who', 'action', 'type', 'door', 'since', 'until'] as const;

export default function AuditView({ organization }: { organization: Organization }) {
  const a = useAdminTexts();
  const [parameters, setParameters] = useSearchParams();
  const of = (name: (typeof NAMES)[number]): string => parameters.get(name) ?? '';
  const set = (changes: Partial<Record<(typeof NAMES)[number], string>>): void => {
    setParameters((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    }, { replace: true });
  };
  const [action, setAction] = useState(of('action'));
  const day = (name: 'since' | 'until'): string | null => (of(name) ? `${of(name)}T00:00:00Z` : null);
  const filters: Filters = {
    actor: of('actor') || null, action: of('action') || null, objectType: (of('type') || null) as AuditObjectType | null,
    door: (of('door') || null) as AuditDoor | null, since: day('since'), until: day('until'),
  };
  const isFiltered = NAMES.some((name) => of(name));
  return (
    <>
      <AdminHead organization={organization} area="audit" lead={a.audit.lead} />
      <form
        className={admin.toolbar}
        onSubmit={(event) => {
          event.preventDefault();
          set({ action: action.trim() });
        }}
      >
        <PersonPicker organization={organization.id} label={of('who') ? `${a.audit.actor}: ${of('who')}` : a.audit.actor} onPick={(actor, who) => set({ actor, who })} />
        <Text label={a.audit.action} value={action} onChange={setAction} placeholder="updateMember" />
        <Choice label={a.audit.kind} value={of('type')} options={[['', a.audit.anyKind], ...TYPES.map((auditObjectType) => [auditObjectType, inWords(auditObjectType)] as const)]} onChange={(type) => set({ type, action: action.trim() })} />
        <Choice label={a.audit.door} value={of('door')} options={[['', a.audit.anyDoor], ...DOORS.map((auditDoor) => [auditDoor, a.audit.doors[auditDoor] ?? auditDoor] as const)]} onChange={(door) => set({ door, action: action.trim() })} />
        <Text type="date" label={a.audit.since} value={of('since')} onChange={(since) => set({ since })} />
        <Text type="date" label={a.audit.until} value={of('until')} onChange={(until) => set({ until })} />
        <Button type="submit">{a.audit.filter}</Button>
        {isFiltered ? (
          <Button
            look="plain"
            onPress={() => {
              setAction('');
              set(Object.fromEntries(NAMES.map((name) => [name, ''])));
            }}
          >
            {a.audit.clear}
          </Button>
        ) : null}
      </form>
      <div className={views.section} style={{ maxInlineSize: '76rem' }}>
        <Log key={JSON.stringify(filters)} organization={organization.id} filters={filters} />
      </div>
    </>
  );
}
