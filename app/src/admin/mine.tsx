/** Views of what belongs to whoever is signed in. */

import { Suspense } from 'react';
import { Waiting } from '../graph/reading.tsx';
import { FailureView } from '../ui/failure.tsx';
import { part, useSoon } from '../ui/part.ts';

const Notifications = part(() => import('./notifications.tsx'));
const Tokens = part(() => import('./tokens.tsx'));

export default function MineRoutes({ view }: { view: string }) {
  useSoon(Notifications, Tokens);
  if (view !== 'notifications' && view !== 'tokens') return <FailureView kind="missing" />;
  return <Suspense fallback={<Waiting />}>{view === 'notifications' ? <Notifications /> : <Tokens />}</Suspense>;
}
