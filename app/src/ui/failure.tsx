/** Errors as views and notices: what has happened, and what one can do about it. */

import type { CombinedError } from 'urql';
import { refreshVisible } from '../graph/visible.ts';
import { outside } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import type { Texts } from '../texts/en.ts';
import { Button, looks, Notice, ui } from './ui.tsx';

export type FailureKind = 'signedOut' | 'forbidden' | 'missing' | 'offline' | 'busy' | 'server' | 'refused';

const KINDS: Record<string, FailureKind> = {
  UNAUTHENTICATED: 'signedOut',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'missing',
  RATE_LIMITED: 'busy',
  UNAVAILABLE: 'busy',
  DEADLINE_EXCEEDED: 'busy',
  INTERNAL: 'server',
};

/** The word of the graph for an error; null when there was no answer. */
export function codeOf(error: CombinedError): string | null {
  const code = error.graphQLErrors[0]?.extensions['code'];
  return typeof code === 'string' ? code : null;
}

export function kindOf(error: CombinedError): FailureKind {
  const code = codeOf(error);
  if (code !== null) return KINDS[code] ?? 'refused';
  return error.networkError && !(error.response as Response | undefined)?.status ? 'offline' : 'server';
}

/** What the server says, as a sentence, where it says more than the kind does. */
export function messageOf(error: CombinedError, t: Texts): string {
  const kind = kindOf(error);
  const said = error.graphQLErrors[0]?.message;
  if (said !== undefined && (kind === 'refused' || kind === 'forbidden')) {
    return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}${said.endsWith('.') ? '' : '.'}`;
  }
  return t.failures[kind].advice;
}

const signIn = (): string => {
  const { pathname, search } = window.location;
  return outside(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
};

/** In place of what could not be read. */
export function FailureView({ error, kind }: { error?: CombinedError; kind?: FailureKind }) {
  const t = useTexts();
  const is = kind ?? (error ? kindOf(error) : 'missing');
  return (
    <div className={ui.failure} role="alert">
      <h1>{t.failures[is].title}</h1>
      <p>{error ? messageOf(error, t) : t.failures[is].advice}</p>
      {is === 'refused' || is === 'forbidden' ? <p className={ui.hint}>{t.failures[is].advice}</p> : null}
      {is === 'signedOut' ? (
        <a className={looks('primary')} href={signIn()}>{t.signIn}</a>
      ) : is === 'missing' || is === 'forbidden' ? (
        <a className={looks('normal')} href={outside('/')}>{t.toMyWork}</a>
      ) : (
        <Button onPress={refreshVisible}>{t.tryAgain}</Button>
      )}
    </div>
  );
}

/** Beside a form whose write was refused; what was typed stays. */
export function FailureNotice({ error }: { error: CombinedError | undefined }) {
  const t = useTexts();
  if (error === undefined) return null;
  const kind = kindOf(error);
  return (
    <Notice tone="bad" role="alert">
      <strong>{t.failures[kind].title}</strong>
      <span>{messageOf(error, t)}</span>
      {kind === 'signedOut' ? <a href={signIn()} target="_blank" rel="noreferrer">{t.signInElsewhere}</a> : null}
    </Notice>
  );
}
