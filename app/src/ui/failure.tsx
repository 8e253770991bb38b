/** Errors as views and notices: what has happened, and what one can do about it. */

import { createElement, type RefObject, useLayoutEffect, useState } from 'react';
import type { CombinedError } from 'urql';
import { Unanswered } from '../graph/in-time.ts';
import { refreshVisible } from '../graph/visible.ts';
import { outside } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { levelIn, useHeading } from './arrival.ts';
import type { Texts } from '../texts/en.ts';
import { Button, looks, Notice, ui } from './ui.tsx';

export type FailureKind = 'signedOut' | 'another' | 'forbidden' | 'missing' | 'offline' | 'late' | 'unsure' | 'resent' | 'busy' | 'server' | 'refused';

const KINDS: Record<string, FailureKind> = {
  UNAUTHENTICATED: 'signedOut',
  ANOTHER_USER: 'another',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'missing',
  RATE_LIMITED: 'busy',
  UNAVAILABLE: 'busy',
  DEADLINE_EXCEEDED: 'busy',
  INTERNAL: 'server',
  OUTCOME_UNKNOWN: 'server',
  UNANSWERED: 'server',
};

/** The word of the graph for an error; null when there was no answer. */
export function codeOf(error: CombinedError): string | null {
  const code = error.graphQLErrors[0]?.extensions['code'];
  return typeof code === 'string' ? code : null;
}

export function kindOf(error: CombinedError): FailureKind {
  const code = codeOf(error);
  if (code !== null) return KINDS[code] ?? 'refused';
  if (error.networkError instanceof Unanswered) return error.networkError.is;
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

/** In place of what could not be read: its heading is one below that of the part of the view in which it stands. */
export function FailureView({ error, kind }: { error?: CombinedError; kind?: FailureKind }) {
  const t = useTexts();
  const heading = useHeading();
  const [level, setLevel] = useState(1);
  useLayoutEffect(() => setLevel(levelIn(heading.current)), [heading]);
  const is = kind ?? (error ? kindOf(error) : 'missing');
  return (
    <div className={ui.failure} role="alert">
      {createElement(`h${level}`, { ref: heading, tabIndex: -1 }, t.failures[is].title)}
      <p>{error ? messageOf(error, t) : t.failures[is].advice}</p>
      {is === 'refused' || is === 'forbidden' ? <p className={ui.hint}>{t.failures[is].advice}</p> : null}
      {is === 'signedOut' || is === 'another' ? (
        <a className={looks('primary')} href={signIn()}>{t.signIn}</a>
      ) : is === 'missing' || is === 'forbidden' ? (
        <a className={looks('normal')} href={outside('/')}>{t.toMyWork}</a>
      ) : (
        <Button onPress={refreshVisible}>{t.tryAgain}</Button>
      )}
    </div>
  );
}

/** What an empty list of what was sought says: why it is empty. */
export const emptyOf = (t: Texts, error: CombinedError | undefined, isAnswered: boolean, none: string): string =>
  error ? t.failures[kindOf(error)].title : isAnswered ? none : t.searching;

/** Beside a form whose write was refused, and what was typed stays; or in place of what was sought: `again` asks once more, and the focus is `back` in the field. */
export function FailureNotice({ error, kind: said, again, back }: {
  error?: CombinedError | undefined; kind?: FailureKind; again?: (() => void) | undefined; back?: RefObject<HTMLElement | null>;
}) {
  const t = useTexts();
  const kind = error ? kindOf(error) : said;
  if (kind === undefined) return null;
  const retry = (): void => {
    again?.();
    back?.current?.focus();
  };
  return (
    <Notice tone="bad" role="alert">
      <strong>{t.failures[kind].title}</strong>
      <span>{error ? messageOf(error, t) : t.failures[kind].advice}</span>
      {kind === 'signedOut' || kind === 'another' ? <a href={signIn()} target="_blank" rel="noreferrer">{t.signInElsewhere}</a> : null}
      {again ? <span><Button onPress={retry}>{t.tryAgain}</Button></span> : null}
    </Notice>
  );
}
