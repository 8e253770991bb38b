import 'graphiql/setup-workers/vite';
// Not graphiql/style.css: that one also carries a second copy of monaco's styles and web fonts.
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './page.css';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createFetcher, findPerson } from './api';
import { examplesPlugin } from './examples-plugin';
import { Header, linksOf, ThemeButton, TokenNotice } from './header';
import { isNarrow } from './narrow';
import { credentialOf, useToken } from './token';

// This page is the endpoint too: browsers GET it, API clients POST to it.
const endpoint = new URL(location.pathname, location.origin);
const LINKS = linksOf(endpoint, location.pathname);

const DEFAULT_QUERY = `# Ctrl-Space completes,
# Ctrl-Enter runs the query.

query Viewer {
  viewer {
    id
    displayName
  }
}
`;

const fetcher = createFetcher(endpoint);
const examples = examplesPlugin(endpoint, DEFAULT_QUERY);
const plugins = [examples, HISTORY_PLUGIN, explorerPlugin()];

/** Loads the schema again when the credential changes: another one may see another schema. */
function SchemaOfToken() {
  const credential = credentialOf(useToken());
  const { introspect } = useGraphiQLActions();
  const { fetchError, responseEditor } = useGraphiQL((state) => ({
    fetchError: state.fetchError,
    responseEditor: state.responseEditor,
  }));
  const loadedFor = useRef(credential);
  const shownError = useRef<string | null>(null);
  useEffect(() => {
    // GraphiQL shows why the schema could not be loaded, but leaves it there when it is.
    if (fetchError === null && responseEditor?.getValue() === shownError.current) {
      responseEditor?.setValue('');
    }
    shownError.current = fetchError;
  }, [fetchError, responseEditor]);
  useEffect(() => {
    if (loadedFor.current !== credential) {
      loadedFor.current = credential;
      if (credential !== '') {
        void introspect();
      }
    }
  }, [credential, introspect]);
  return null;
}

/** GraphiQL keeps the theme, so the header's button has to live inside its provider. */
function ThemeInHeader({ slot }: { slot: HTMLElement }) {
  const theme = useGraphiQL((state) => state.theme);
  const { setTheme } = useGraphiQLActions();
  return createPortal(<ThemeButton theme={theme} onChange={setTheme} />, slot);
}

function Page() {
  const credential = credentialOf(useToken());
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <>
      <Header page="graphiql" links={LINKS}>
        <span ref={setSlot} />
      </Header>
      <TokenNotice signIn={LINKS.signIn} />
      <main className="page-body">
        <h1 className="visually-hidden">Docstead GraphQL query editor</h1>
        <GraphiQL
          fetcher={fetcher}
          // Null asks for no schema: without a credential the server would refuse.
          schema={credential === '' ? null : undefined}
          defaultQuery={DEFAULT_QUERY}
          defaultEditorToolsVisibility="variables"
          inputValueDeprecation
          schemaDescription
          plugins={plugins}
          // Where it would cover the editors, the reader opens it.
          visiblePlugin={isNarrow() ? undefined : examples}
          shouldPersistHeaders={false}
          showPersistHeadersSettings={false}
        >
          <GraphiQL.Logo>
            <span />
          </GraphiQL.Logo>
          <SchemaOfToken />
          {slot !== null && <ThemeInHeader slot={slot} />}
        </GraphiQL>
      </main>
    </>
  );
}

void findPerson(LINKS.person).catch(() => undefined);
createRoot(document.getElementById('root')!).render(<Page />);
