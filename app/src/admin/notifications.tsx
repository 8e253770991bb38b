/** What concerns whoever is signed in, and what they want to hear of. */

import { useState } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import type { DigestFrequency, NotificationLevel, NotificationRowFragment } from '../graph/generated/graphql.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useWrite } from '../graph/write.ts';
import { pathOfAddress, toSpace } from '../place.ts';
import type { SpaceFrame } from '../space/routes.tsx';
import { useAdminTexts } from '../texts/admin/index.ts';
import { Ago } from '../texts/times.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { useTitle } from '../ui/title.ts';
import { Button, Empty, More, ui } from '../ui/ui.tsx';
import { Head, views } from '../views/parts.tsx';
import { admin, Choice, TakenBack, Tick } from './kit.tsx';

export const NOTIFICATION_ROW = graphql(`
  fragment NotificationRow on Notification {
    id kind count unread updatedAt
    text { title url }
    space { id title }
  }
`);
const LIST = graphql(`
  query Notifications($first: Int!, $after: String, $unread: Boolean) {
    viewer { id unreadNotifications notifications(first: $first, after: $after, unread: $unread) { nodes { ...NotificationRow } pageInfo { hasNextPage endCursor } } }
  }
`);
const SETTINGS = graphql(`
  query NotificationSettings($first: Int!, $after: String) {
    viewer {
      id
      notificationSettings { level digest }
      notificationLevels(first: $first, after: $after) { nodes { spaceId level space { id title } } pageInfo { hasNextPage endCursor } }
    }
  }
`);
const LEVEL = graphql(`
  query SpaceNotificationLevel($space: ID!) { space(id: $space) { id notificationLevel } }
`);
const READ = graphql(`
  mutation MarkNotificationsRead($input: MarkNotificationsReadInput!) { markNotificationsRead(input: $input) { id unreadNotifications } }
`);
const UPDATE = graphql(`
  mutation ChangeNotificationSettings($input: UpdateNotificationSettingsInput!) {
    updateNotificationSettings(input: $input) { id notificationSettings { level digest } }
  }
`);
const SET_LEVEL = graphql(`
  mutation SetNotificationLevel($space: ID!, $input: SetSpaceNotificationLevelInput!) { setSpaceNotificationLevel(spaceId: $space, input: $input) { id notificationLevel } }
`);

function Row({ row }: { row: NotificationRowFragment }) {
  const a = useAdminTexts();
  const { write, busy, error } = useWrite(READ);
  const [isRead, setRead] = useState(false);
  const isUnread = row.unread && !isRead;
  // It is read at once, and unread again when that was refused.
  const mark = async (): Promise<void> => {
    if (!isUnread) return;
    setRead(true);
    await write({ input: { ids: [row.id] } });
    setRead(false);
  };
  const path = pathOfAddress(row.text.url);
  return (
    <li className={`${admin.item} ${isUnread ? admin.unread : ''}`}>
      <div className={admin.line}>
        <div className={admin.main}>
          {path === null ? <a className={ui.rowTitle} href={row.text.url} onClick={() => void mark()}><bdi>{row.text.title}</bdi></a>
            : <Link className={ui.rowTitle} href={path} onClick={() => void mark()}><bdi>{row.text.title}</bdi></Link>}
          <span className={ui.hint}>
            {row.space ? <><bdi>{row.space.title}</bdi> · </> : null}<Ago at={row.updatedAt} />{row.count > 1 ? ` · ${a.notifications.times(row.count)}` : ''}
            {isUnread ? ` · ${a.notifications.unread}` : ''}
          </span>
        </div>
        {isUnread ? <Button look="plain" isDisabled={busy} onPress={() => void mark()}>{a.notifications.markRead}<span className="hidden-text"> {row.text.title}</span></Button> : null}
      </div>
      <FailureNotice error={error} />
    </li>
  );
}

const named = <One extends string>(names: Readonly<Record<string, string>>, all: readonly One[]) => all.map((name) => [name, names[name] ?? name] as const);
const LEVELS: readonly NotificationLevel[] = ['PARTICIPATING', 'ALL', 'NONE'];
const DIGESTS: readonly DigestFrequency[] = ['OFF', 'IMMEDIATE', 'DAILY', 'WEEKLY'];

function Settings() {
  const a = useAdminTexts();
  const list = useMore(100);
  const result = useRead(SETTINGS, { first: list.first, after: list.after });
  const { write, busy, error } = useWrite(UPDATE);
  const [pending, setPending] = useState<{ level?: NotificationLevel; digest?: DigestFrequency }>({});
  const change = async (input: typeof pending): Promise<void> => {
    setPending(input);
    await write({ input });
    setPending({});
  };
  return (
    <Reading result={result} pick={(data) => data.viewer}>
      {({ notificationSettings: settings, notificationLevels }) => settings === null ? null : (
        <section className={views.section}>
          <h2>{a.notifications.settings}</h2>
          <div className={admin.toolbar}>
            <Choice label={a.notifications.level} value={pending.level ?? settings.level} isDisabled={busy} options={named(a.notifications.levels, LEVELS)} onChange={(level) => void change({ level })} />
            <Choice label={a.notifications.digest} value={pending.digest ?? settings.digest} isDisabled={busy} options={named(a.notifications.digests, DIGESTS)} onChange={(digest) => void change({ digest })} />
          </div>
          <TakenBack error={error} />
          <h3>{a.notifications.spaces}</h3>
          {notificationLevels.nodes.length === 0 ? <p className={ui.hint}>{a.notifications.noSpaces}</p> : (
            <ul className={ui.rows}>
              {notificationLevels.nodes.map((notificationLevel) => (
                <li key={notificationLevel.spaceId} className={admin.item}>
                  <div className={admin.line}>
                    <span className={admin.main}>{notificationLevel.space ? <Link href={toSpace(notificationLevel.spaceId)}><bdi>{notificationLevel.space.title}</bdi></Link> : notificationLevel.spaceId}</span>
                    <Level space={notificationLevel.spaceId} title={notificationLevel.space?.title ?? ''} level={notificationLevel.level} />
                  </div>
                </li>
              ))}
            </ul>
          )}
          <More list={list} info={notificationLevels.pageInfo} what={a.notifications.spaces} />
        </section>
      )}
    </Reading>
  );
}

/** The level of one space; without one it follows the setting of the person. */
function Level({ space, title, level }: { space: string; title: string; level: NotificationLevel | null }) {
  const a = useAdminTexts();
  const { write, busy, error } = useWrite(SET_LEVEL);
  const [pending, setPending] = useState<NotificationLevel | 'DEFAULT' | null>(null);
  const become = async (next: NotificationLevel | 'DEFAULT'): Promise<void> => {
    setPending(next);
    await write({ space, input: { level: next === 'DEFAULT' ? null : next } });
    setPending(null);
  };
  return (
    <>
      <Choice
        isHidden label={`${a.notifications.ofSpace}: ${title}`} value={pending ?? level ?? 'DEFAULT'} isDisabled={busy}
        options={named<NotificationLevel | 'DEFAULT'>(a.notifications.levels, ['DEFAULT', ...LEVELS])} onChange={(next) => void become(next)}
      />
      <TakenBack error={error} />
    </>
  );
}

export function SpaceNotifications({ space }: { space: SpaceFrame }) {
  const a = useAdminTexts();
  const result = useRead(LEVEL, { space: space.id });
  useTitle(`${a.mine.notifications} | ${space.title}`);
  return (
    <>
      <Head title={a.notifications.ofSpace} crumbs={[{ href: toSpace(space.id), title: space.title }]} lead={a.notifications.ofSpaceAbout} />
      <Reading result={result} pick={(data) => data.space}>
        {({ notificationLevel }) => <Level space={space.id} title={space.title} level={notificationLevel} />}
      </Reading>
    </>
  );
}

export default function NotificationsView() {
  const a = useAdminTexts();
  const [isUnread, setUnread] = useState(false);
  const list = useMore(30, undefined, String(isUnread));
  const result = useRead(LIST, { first: list.first, after: list.after, unread: isUnread || null });
  const { write, busy, error } = useWrite(READ);
  useTitle(a.mine.notifications);
  return (
    <>
      <Head title={a.mine.notifications} lead={a.notifications.lead} />
      <Reading result={result} pick={(data) => data.viewer}>
        {({ notifications: { nodes, pageInfo }, unreadNotifications }) => {
          const [newest] = nodes;
          return (
            <div className={views.section}>
              <div className={admin.line}>
                <Tick label={a.notifications.unreadOnly} checked={isUnread} onChange={setUnread} />
                {unreadNotifications > 0 && newest && list.part === 1 ? (
                  // What has come since the list was read stays unread.
                  <Button isDisabled={busy} onPress={() => void write({ input: { upTo: newest.id } })}>{a.notifications.markAll}</Button>
                ) : null}
              </div>
              <FailureNotice error={error} />
              {nodes.length === 0 ? <Empty>{isUnread ? a.notifications.none : a.notifications.noneAtAll}</Empty> : <ul className={ui.rows}>{nodes.map((row) => <Row key={row.id} row={row} />)}</ul>}
              <More list={list} info={pageInfo} />
            </div>
          );
        }}
      </Reading>
      <Settings />
    </>
  );
}
