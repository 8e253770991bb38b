/** How many notifications are unread, as it changes. */

import { Bell as BellIcon } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { refreshSoon, stream } from '../live/stream.ts';
import { toMine } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import css from './shell.module.css';

const UNREAD = graphql(`
  query UnreadNotifications { viewer { id unreadNotifications } }
`);
const TOLD = graphql(`
  subscription NotificationNews($after: ID) { notifications(after: $after) { id } }
`);

/** Follow what one is notified of, once for the whole application. */
export function useNotificationNews(): void {
  useEffect(
    () => stream<{ notifications: { id: string } | null }>({
      query: TOLD as unknown as string,
      variables: (after) => ({ after }),
      after: null,
      take: ({ notifications }) => {
        refreshSoon();
        return notifications?.id ?? null;
      },
    }),
    [],
  );
}

export function Bell() {
  const t = useTexts();
  const count = useRead(UNREAD, {}).data?.viewer?.unreadNotifications ?? 0;
  return (
    <Link href={toMine('notifications')} className={css.bell} aria-label={t.notificationsUnread(count)} title={t.notificationsUnread(count)}>
      <BellIcon size={18} aria-hidden />
      {count > 0 ? <span className={css.bellCount} aria-hidden="true">{count > 99 ? '99+' : count}</span> : null}
    </Link>
  );
}
