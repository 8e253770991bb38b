import 'graphql-voyager/dist/voyager.css';
import './page.css';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { Voyager } from 'graphql-voyager';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { execute, findPerson } from './api';
import { Header, linksOf, ThemeButton, TokenNotice } from './header';
import { isComposite, neighbourhood } from './neighbourhood';
import { applyTheme, storedTheme } from './theme';
import { credentialOf, useToken } from './token';

// This page is served one step below the endpoint: <endpoint>/schema.
const endpoint = new URL(location.pathname.replace(/\/schema\/?$/, ''), location.origin);
const LINKS = linksOf(endpoint, location.pathname);

type Loaded = { schema: IntrospectionQuery } | { problem: string } | null;

// The whole schema has hundreds of types: to draw them takes a minute and more.
const ROOT = 'Space';
const DISTANCES = [1, 2, 3] as const;

async function loadSchema(): Promise<Loaded> {
  const { data, errors } = await execute(endpoint, getIntrospectionQuery());
  if (data === undefined || data === null) {
    return { problem: errors?.[0]?.message ?? 'The server sent neither data nor errors.' };
  }
  return { schema: data as unknown as IntrospectionQuery };
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
  return <Part schema={loaded.schema} />;
}

/** What the address asks for: `?type=Site&distance=2`, or `?type=` for the whole schema. */
function chosen(schema: IntrospectionQuery): { root: string; distance: number } {
  const asked = new URLSearchParams(location.search);
  const type = asked.get('type');
  const there = schema.__schema.types.some((one) => one.name === type && isComposite(one));
  const distance = Number(asked.get('distance'));
  return {
    root: type === '' || (type !== null && there) ? type : ROOT,
    distance: DISTANCES.find((one) => one === distance) ?? 1,
  };
}

/** The part of the schema around a type, and the choice of another one. */
function Part({ schema }: { schema: IntrospectionQuery }) {
  const [{ root, distance }, choose] = useState(() => chosen(schema));
  const names = useMemo(
    () =>
      schema.__schema.types
        .filter((type) => isComposite(type) && !/^__|(?:Connection|Edge|Payload)$/.test(type.name))
        .map((type) => type.name)
        .sort(),
    [schema],
  );
  const drawn = useMemo(
    () => buildClientSchema(root === '' ? schema : neighbourhood(schema, root, distance)),
    [schema, root, distance],
  );
  const change = (to: { root: string; distance: number }) => {
    history.replaceState(null, '', `?type=${to.root}&distance=${to.distance}`);
    choose(to);
  };
  return (
    <>
      <form className="part" onSubmit={(event) => event.preventDefault()}>
        <label>
          Around{' '}
          <select value={root} onChange={(event) => change({ root: event.target.value, distance })}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
            <option value="">everything (takes a minute and more)</option>
          </select>
        </label>
        <label>
          up to{' '}
          <select
            value={distance}
            disabled={root === ''}
            onChange={(event) => change({ root, distance: Number(event.target.value) })}
          >
            {DISTANCES.map((steps) => (
              <option key={steps} value={steps}>
                {steps === 1 ? '1 relation' : `${steps} relations`}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Voyager
        key={`${root} ${distance}`}
        introspection={drawn}
        displayOptions={{
          skipRelay: true,
          skipDeprecated: false,
          sortByAlphabet: false,
          ...(root !== '' && { rootType: root }),
        }}
        hideVoyagerLogo
      />
    </>
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
