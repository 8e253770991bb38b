/** What stands around each view: navigation, search, and who is signed in. */

import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactNode, createContext, Suspense, useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Modal, Dialog, ModalOverlay } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { useConnection } from '../live/connection.ts';
import { useDone } from '../live/done.ts';
import { useSpoken } from '../live/spoken.ts';
import { toAdmin } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { CrashGuard } from '../ui/crash.tsx';
import { arrive, keepFocus } from '../ui/arrival.ts';
import { shortcut } from '../ui/keyboard.ts';
import { part, useSoon } from '../ui/part.ts';
import { Button, Kbd, ui } from '../ui/ui.tsx';
import { type Area, firstArea } from './areas.ts';
import { Bell, useNotificationNews } from './bell.tsx';
import { KeysDialog } from './keys.tsx';
import { Places } from './places.tsx';
import { isStaying } from './staying.ts';
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
    <span className={css.live} title={t.connections[state].about}>
      <span className={css.dot} data-state={state} aria-hidden="true" />
      {t.connections[state].label}
    </span>
  );
}

/** Said when the connection is lost, and when it is there again; not each time that a view begins to follow something. */
function ConnectionSaid() {
  const t = useTexts();
  const state = useConnection();
  const wasLost = useRef(false);
  if (state === 'lost') wasLost.current = true;
  const said = state === 'lost' ? t.connectionLost : state === 'live' && wasLost.current ? t.connections.live.about : '';
  return <p className={state === 'lost' ? css.lost : 'hidden-text'} role="status">{said}</p>;
}

/** What follows and listens while somebody is signed in. */
function Listening({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }) {
  const viewer = useViewer();
  const [location, navigate] = useLocation();
  useNotificationNews();
  useShortcuts({
    search: onSearch,
    keys: onKeys,
    administration: (area: Area | null) => {
      const at = ORGANIZATION.exec(location)?.[1];
      const organization = viewer.organizations.nodes.find((organization) => organization.id === at) ?? viewer.organizations.nodes[0];
      if (organization !== undefined) navigate(toAdmin(at ?? organization.id, area ?? firstArea(organization)));
    },
  });
  return null;
}

/** Until then the focus has come along. */
const ARRIVED_MS = 300;
const ORGANIZATION = /^\/o\/([^/]+)/u;

/** Says where one has come to and what is done, and takes the focus along when what had it is gone. */
function Arrival() {
  const [location] = useLocation();
  const t = useTexts();
  const done = useDone();
  const spoken = useSpoken();
  const [title, setTitle] = useState('');
  useEffect(() => {
    let timer = 0;
    // A heading that has the focus is read already.
    const say = (): void => setTitle(document.activeElement?.matches('main h1') ? '' : document.title);
    const named = new MutationObserver(() => {
      window.clearTimeout(timer);
      timer = window.setTimeout(say, ARRIVED_MS);
    });
    const [head] = document.getElementsByTagName('title');
    if (head) named.observe(head, { childList: true });
    return () => {
      named.disconnect();
      window.clearTimeout(timer);
    };
  }, []);
  useEffect(keepFocus, []);
  const first = useRef(location);
  useLayoutEffect(() => {
    if (first.current !== location) arrive();
  }, [location]);
  useEffect(() => {
    if (first.current === location) return;
    first.current = '';
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost) document.getElementById('content')?.focus({ preventScroll: true });
  }, [location]);
  return (
    // Also heard while a dialog hides all else.
    <div data-live-announcer="true">
      <p className="hidden-text" role="status">{title}</p>
      <p className="hidden-text" role="status">{done === null ? null : <span key={done}>{t.isDone}</span>}</p>
      <p className="hidden-text" role="status">{spoken.text ? <span key={spoken.count}>{spoken.text}</span> : null}</p>
    </div>
  );
}

/** Whoever writes before the search is loaded has written. */
function SearchDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const [text, setText] = useState('');
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => open || onClose()} className={ui.overlay ?? ''}>
      <Modal className={`${ui.modal} ${ui.wide}`}>
        <Dialog aria-label={t.searchEverything} className={css.palette ?? ''}>
          <Suspense
            fallback={<input className={css.paletteInput} aria-label={t.searchEverything} placeholder={t.searchPlaceholder} value={text} autoFocus onChange={(event) => setText(event.target.value)} />}
          >
            <Palette text={text} onText={setText} onClose={onClose} />
          </Suspense>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

export function Shell({ children }: { children: ReactNode }) {
  const t = useTexts();
  const [location] = useLocation();
  const [side, setSide] = useState<ReactNode>(null);
  const [open, setOpen] = useState<'drawer' | 'search' | 'keys' | null>(null);
  const close = useCallback(() => setOpen(null), []);
  useSoon(Palette);
  useLayoutEffect(() => {
    setOpen((before) => (before === 'drawer' && isStaying() ? before : null));
    // A page that is known already has gone to its heading by now.
    if (!window.location.hash) window.scrollTo(0, 0);
  }, [location]);

  const content = (
    <>
      <div className={css.sideTop}>
        <div className={css.brandLine}><Brand /><Bell /></div>
        <button type="button" className={css.searchButton} aria-keyshortcuts={shortcut('Ctrl K')} onClick={() => setOpen('search')}>
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
            <ConnectionSaid />
            <main className={css.main} id="content" tabIndex={-1}><CrashGuard at={location}>{children}</CrashGuard></main>
          </div>
        </div>
        <ModalOverlay className={css.drawer ?? ''} isDismissable isOpen={open === 'drawer'} onOpenChange={(is) => is || close()}>
          <Modal className={css.drawerPanel ?? ''}>
            <Dialog aria-label={t.navigation} style={{ blockSize: '100%' }}>
              <div
                className={css.side}
                // Whoever goes to where they are wants to see it, too.
                onClickCapture={({ target }) => {
                  if (target instanceof Element && !target.closest('button') && target.closest('a[href], [data-href]')) window.setTimeout(close);
                }}
              >
                {content}
              </div>
            </Dialog>
          </Modal>
        </ModalOverlay>
        {open === 'search' ? <SearchDialog onClose={close} /> : null}
        <KeysDialog isOpen={open === 'keys'} onClose={close} />
      </SideSlot.Provider>
    </ViewerProvider>
  );
}
