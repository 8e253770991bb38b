import 'graphql-voyager/dist/voyager.css';
import './page.css';
import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema } from 'graphql';
import type { IntrospectionQuery } from 'graphql';
import { Voyager } from 'graphql-voyager';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { execute, findPerson } from './api';
import { Header, linksOf, ThemeButton, TokenNotice } from './header';
import { applyTheme, storedTheme } from './theme';
import { credentialOf, useToken } from './token';

// This page is served one step below the endpoint: <endpoint>/schema.
const endpoint = new URL(location.pathname.replace(/\/schema\/?$/, ''), location.origin);
const LINKS = linksOf(endpoint, location.pathname);

type Loaded = { schema: GraphQLSchema } | { problem: string } | null;

async function loadSchema(): Promise<Loaded> {
  const { data, errors } = await execute(endpoint, getIntrospectionQuery());
  if (data === undefined || data === null) {
    return { problem: errors?.[0]?.message ?? 'The server sent neither data nor errors.' };
  }
  return { schema: buildClientSchema(data as IntrospectionQuery) };
}

/** Names what Voyager draws without a name: the buttons of its list of types, and its select. */
function nameControls(picture: HTMLElement): () => void {
  const name = () => {
    for (const button of picture.querySelectorAll('button:not([aria-label])')) {
      if (button.textContent.trim() === '') {
        const type = button.parentElement?.querySelector('.type-name')?.textContent;
        button.setAttribute('aria-label', type ? `Show ${type} in the picture` : 'Clear');
      }
    }
    for (const select of picture.querySelectorAll('[role="combobox"]:not([aria-label])')) {
      select.setAttribute('aria-label', 'Root type');
    }
  };
  const observer = new MutationObserver(name);
  observer.observe(picture, { childList: true, subtree: true });
  name();
  return () => observer.disconnect();
}

function Picture() {
  const credential = credentialOf(useToken());
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    let current = true;
    setLoaded(null);
    if (credential === '') {
      return; // the server would refuse
    }
    void loadSchema()
      .catch((error: unknown) => ({ problem: String(error) }))
      .then((result) => {
        if (current) {
          setLoaded(result);
        }
      });
    return () => {
      current = false;
    };
  }, [credential]);

  if (credential === '') {
    return <p className="loading">The schema is drawn once there is a token.</p>;
  }
  if (loaded === null) {
    return <p className="loading">Loading the schema …</p>;
  }
  if ('problem' in loaded) {
    return (
      <p className="loading" role="alert">
        The schema could not be loaded: {loaded.problem}
      </p>
    );
  }
  return (
    <Voyager
      introspection={loaded.schema}
      displayOptions={{ skipRelay: true, skipDeprecated: false, sortByAlphabet: false }}
      hideVoyagerLogo
    />
  );
}

function Page() {
  const [theme, setTheme] = useState(storedTheme);
  const main = useRef<HTMLElement>(null);
  useEffect(() => (main.current === null ? undefined : nameControls(main.current)), []);
  useEffect(() => applyTheme(theme), [theme]);
  return (
    <>
      <Header page="schema" links={LINKS}>
        <ThemeButton theme={theme} onChange={setTheme} />
      </Header>
      <TokenNotice signIn={LINKS.signIn} />
      <main className="page-body picture" ref={main}>
        <h1 className="visually-hidden">Picture of the Docstead schema</h1>
        <Picture />
      </main>
    </>
  );
}

void findPerson(LINKS.person).catch(() => undefined);
createRoot(document.getElementById('root')!).render(<Page />);
