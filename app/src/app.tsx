/** The views by address. */

import { Suspense } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Route, Switch, useLocation } from 'wouter';
import { Waiting } from './graph/reading.tsx';
import { pathOfAddress } from './place.ts';
import { Shell } from './shell/shell.tsx';
import { part, useSoon } from './ui/part.ts';
import { FailureView } from './ui/failure.tsx';
import { HomeView } from './views/home.tsx';

const AccessOfCollection = part(async () => ({ default: (await import('./admin/access.tsx')).AccessOfCollection }));
const CollectionView = part(async () => ({ default: (await import('./views/collection.tsx')).CollectionView }));
const OrganizationView = part(async () => ({ default: (await import('./views/organization.tsx')).OrganizationView }));
const OrganizationRoutes = part(() => import('./admin/routes.tsx'));
const MineRoutes = part(() => import('./admin/mine.tsx'));
const SpaceRoutes = part(() => import('./space/routes.tsx'));

export function App() {
  const [, navigate] = useLocation();
  useSoon(SpaceRoutes, OrganizationView, CollectionView, OrganizationRoutes, MineRoutes, AccessOfCollection);
  return (
    <RouterProvider
      navigate={(path) => {
        const inside = pathOfAddress(path);
        if (inside === null) window.location.assign(path);
        else navigate(inside);
      }}
    >
      <Shell>
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path="/"><HomeView /></Route>
            <Route path="/o/:organization">
              {({ organization }) => <OrganizationView key={organization} id={organization} />}
            </Route>
            <Route path="/o/:organization/*?">
              {({ organization }) => <OrganizationRoutes key={organization} id={organization} />}
            </Route>
            <Route path="/~/:view">{({ view }) => <MineRoutes view={view} />}</Route>
            <Route path="/c/:collection/~/people">
              {({ collection }) => <AccessOfCollection key={collection} id={collection} />}
            </Route>
            <Route path="/c/:collection">
              {({ collection }) => <CollectionView key={collection} id={collection} />}
            </Route>
            <Route path="/s/:space/*?">
              {({ space }) => <SpaceRoutes key={space} id={space} />}
            </Route>
            <Route><FailureView kind="missing" /></Route>
          </Switch>
        </Suspense>
      </Shell>
    </RouterProvider>
  );
}
