import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { setToken, useToken, type TokenStatus } from './token';
import { nextTheme, type Theme } from './theme';
import iconUrl from './icon.svg';

const STATUS_TEXT: Record<TokenStatus, string> = {
  absent: 'No token',
  unchecked: 'Token not checked yet',
  accepted: 'Token accepted',
  refused: 'Token refused',
};

// Long enough that a typed token is not sent letter by letter.
const TYPING_PAUSE_MS = 500;

function TokenField() {
  const { token, status } = useToken();
  const [text, setText] = useState(token);
  const [shown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  useEffect(() => {
    const timer = setTimeout(() => setToken(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  function clear() {
    setText('');
    setToken('');
    field.current?.focus();
  }

  return (
    <form
      className="token"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        setToken(text);
      }}
    >
      <label htmlFor={id}>Token</label>
      <span className="token-box">
        <input
          id={id}
          ref={field}
          name="docstead-token"
          type={shown ? 'text' : 'password'}
          value={text}
          placeholder="Paste an API token"
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          aria-describedby={`${id}-status`}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
          <span className="visually-hidden"> token</span>
        </button>
        <button type="button" disabled={text === ''} onClick={clear}>
          Clear<span className="visually-hidden"> token</span>
        </button>
      </span>
      <output id={`${id}-status`} className="token-status" data-status={status}>
        {STATUS_TEXT[status]}
      </output>
    </form>
  );
}

/** What to do when there is no token, or one that the server refused; nothing otherwise. */
export function TokenNotice({ signIn }: { signIn: string }) {
  const { status, person } = useToken();
  if (status === 'refused') {
    return (
      <p className="notice refused" role="alert">
        The server did not accept this token (401): it is unknown, expired or revoked. Paste the
        token that <code>make demo</code> printed, or make a new one.
      </p>
    );
  }
  if (status === 'absent' && person === null) {
    return (
      <p className="notice" role="status">
        There is no token yet. <a href={signIn}>Sign in</a>, or paste the token that{' '}
        <code>make demo</code> printed into the field above. It stays in this browser tab and is
        forgotten when the tab closes.
      </p>
    );
  }
  return null;
}

export function ThemeButton(props: { theme: Theme; onChange: (theme: Theme) => void }) {
  return (
    <button
      type="button"
      className="theme"
      onClick={() => props.onChange(nextTheme(props.theme))}
      title="Change the theme: system, light, dark"
    >
      Theme: {props.theme ?? 'system'}
    </button>
  );
}

/** Addresses of pages, on this host. */
export interface Links {
  readonly graphiql: string;
  readonly schema: string;
  readonly account: string;
  readonly signIn: string;
  /** Says who is signed in. */
  readonly person: string;
}

/** The pages around the endpoint; `page` is the one that people come back to. */
export function linksOf(endpoint: URL, page: string): Links {
  const prefix = endpoint.pathname.replace(/\/graphql$/, '');
  return {
    graphiql: endpoint.pathname,
    schema: `${endpoint.pathname}/schema`,
    account: `${prefix}/account`,
    person: `${prefix}/account/person.json`,
    signIn: `${prefix}/sign-in?next=${encodeURIComponent(page)}`,
  };
}

/** Leads to the account of who is signed in, if the session counts. */
function Person({ account }: { account: string }) {
  const { token, person } = useToken();
  return person === null || token !== '' ? null : (
    <a className="person" href={account}>
      {person}
    </a>
  );
}

interface HeaderProps {
  readonly page: 'graphiql' | 'schema';
  readonly links: Links;
  readonly children?: ReactNode;
}

export function Header({ page, links, children }: HeaderProps) {
  return (
    <header className="bar">
      <span className="brand">
        <img src={iconUrl} alt="" width="24" height="24" />
        Docstead
      </span>
      <nav aria-label="Pages">
        <a href={links.graphiql} aria-current={page === 'graphiql' ? 'page' : undefined}>
          Query editor
        </a>
        <a href={links.schema} aria-current={page === 'schema' ? 'page' : undefined}>
          Schema picture
        </a>
      </nav>
      <TokenField />
      <Person account={links.account} />
      {children}
    </header>
  );
}
