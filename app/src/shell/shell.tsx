/** What stands around each view: navigation, search, and who is signed in. */

import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactNode, createContext, Suspense, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { Modal, Dialog, ModalOverlay } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { useConnection } from '../live/connection.ts';
import { toAdmin } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { CrashGuard } from '../ui/crash.tsx';
import { part } from '../ui/part.ts';
import { Button, Kbd } from '../ui/ui.tsx';
import { Bell, useNotificationNews } from './bell.tsx';
import { KeysDialog } from './keys.tsx';
import { Places } from './places.tsx';
import css from './shell.module.css';
import { useShortcuts } from './shortcuts.ts';
import { UserMenu } from './user-menu.tsx';
import { useViewer, ViewerProvider } from './viewer.tsx';

const Palette = part(() => import('./palette.tsx'));

/** Views put what belongs into the navigation there; without one it lists the spaces. */
const SideSlot = createContext<(content: ReactNode) => void>(() => undefined);

export function useSide(content: ReactNode): void {
  const place = useContext(SideSlot);
  useEffect(() => place(content), [place, content]);
  useEffect(() => () => place(null), [place]);
}

export const Brand = () => (
  <Link href="/" className={css.brand}>
    <span className={css.mark} aria-hidden="true">D</span>Docstead
  </Link>
);

function Live() {
  const t = useTexts();
  const state = useConnection();
  return (
    <span className={css.live} role="status" title={t.connections[state].about}>
      <span className={css.dot} data-state={state} aria-hidden="true" />
      {t.connections[state].label}
    </span>
  );
}

/** What follows and listens while somebody is signed in. */
function Listening({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }) {
  const viewer = useViewer();
  const [location, navigate] = useLocation();
  useNotificationNews();
  useShortcuts({
    search: onSearch,
    keys: onKeys,
    administration: (area) => {
      const organization = ORGANIZATION.exec(location)?.[1] ?? viewer.organizations.nodes[0]?.id;
      if (organization !== undefined) navigate(toAdmin(organization, area));
    },
  });
  return null;
}

const ORGANIZATION = /^\/o\/([^/]+)/u;

/** Says where one has come to, and takes the focus along when what had it is gone. */
function Arrival() {
  const [location] = useLocation();
  const [title, setTitle] = useState('');
  useEffect(() => {
    const named = new MutationObserver(() => setTitle(document.title));
    const [head] = document.getElementsByTagName('title');
    if (head) named.observe(head, { childList: true });
    return () => named.disconnect();
  }, []);
  const first = useRef(location);
  useEffect(() => {
    if (first.current === location) return;
    first.current = '';
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost) document.getElementById('content')?.focus({ preventScroll: true });
  }, [location]);
  return <p className="hidden-text" role="status">{title}</p>;
}

export function Shell({ children }: { children: ReactNode }) {
  const t = useTexts();
  const [location] = useLocation();
  const [side, setSide] = useState<ReactNode>(null);
  const [open, setOpen] = useState<'drawer' | 'search' | 'keys' | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const connection = useConnection();
  useEffect(() => {
    setOpen(null);
    // A page that is known already has gone to its heading by now.
    if (!window.location.hash) window.scrollTo(0, 0);
  }, [location]);

  const content = (
    <>
      <div className={css.sideTop}>
        <div className={css.brandLine}><Brand /><Bell /></div>
        <button type="button" className={css.searchButton} onClick={() => setOpen('search')}>
          <Search size={16} aria-hidden /><span>{t.search}</span><Kbd>Ctrl K</Kbd>
        </button>
      </div>
      <div className={css.sideMiddle}>{side ?? <Places />}</div>
      <div className={css.sideBottom}>
        <UserMenu onKeys={() => setOpen('keys')} />
        <Live />
      </div>
    </>
  );

  return (
    <ViewerProvider>
      <Listening onSearch={() => setOpen('search')} onKeys={() => setOpen('keys')} />
      <Arrival />
      <SideSlot.Provider value={setSide}>
        <a className={css.skip} href="#content">{t.skip}</a>
        <div className={css.shell}>
          <nav className={css.side} aria-label={t.navigation}>{content}</nav>
          <div>
            <header className={css.bar}>
              <Button look="icon" aria-label={t.openNavigation} onPress={() => setOpen('drawer')}>
                <MenuIcon size={20} aria-hidden />
              </Button>
              <Brand />
              <span className={css.barEnd}>
                <Bell />
                <Button look="icon" aria-label={t.search} onPress={() => setOpen('search')}>
                  <Search size={19} aria-hidden />
                </Button>
              </span>
            </header>
            {connection === 'lost' ? <p className={css.lost} role="status">{t.connectionLost}</p> : null}
            <main className={css.main} id="content" tabIndex={-1}><CrashGuard at={location}>{children}</CrashGuard></main>
          </div>
        </div>
        <ModalOverlay className={css.drawer ?? ''} isDismissable isOpen={open === 'drawer'} onOpenChange={(is) => is || close()}>
          <Modal className={css.drawerPanel ?? ''}>
            <Dialog aria-label={t.navigation} style={{ blockSize: '100%' }}>
              <div className={css.side}>{content}</div>
            </Dialog>
          </Modal>
        </ModalOverlay>
        {open === 'search' ? <Suspense fallback={null}><Palette onClose={close} /></Suspense> : null}
        <KeysDialog isOpen={open === 'keys'} onClose={close} />
      </SideSlot.Provider>
    </ViewerProvider>
  );
}
