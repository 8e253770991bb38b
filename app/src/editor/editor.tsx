/** A page that is being written: its title, tools, text, and what has become of what was typed. */

import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useClient } from 'urql';
import { type ContentReference } from '../document/model.ts';
import { keyOf, resolverOf, type Target } from '../document/references.tsx';
import type { ResolvedLinkFragment } from '../graph/generated/graphql.ts';
import { outside, type Version } from '../place.ts';
import { useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { followKeyboard } from '../ui/covered.ts';
import { isComposed } from '../ui/keyboard.ts';
import { part, useSoon } from '../ui/part.ts';
import { Button, Notice, ui } from '../ui/ui.tsx';
import { Asked, placeOf } from './asked.tsx';
import css from './editor.module.css';
import type { LinkTarget } from './link-targets.tsx';
import { checkExpression, type Edited, readInPlace, readPage, type Uploaded, uploadFile, writePage } from './graph.ts';
import { InsertMenu } from './insert-menu.tsx';
import { figure, imageOf, INSERTIONS } from './insertions.ts';
import { newKey } from './keys.ts';
import { adopt, type KeptMarkdown, keyOfMarkdown } from './markdown-kept.ts';
import type { Place } from './places.ts';
import { keyOfPage } from './remembered.ts';
import type { Reading } from './saving.ts';
import { type Instead, type Question, Session, type Shown, type Sort } from './session.ts';
import { Tools } from './toolbar.tsx';
import type { Moved } from './typing.ts';

const Clashes = part(async () => ({ default: (await import('./clashes.tsx')).Clashes }));
const Markdown = part(async () => ({ default: (await import('./markdown.tsx')).Markdown }));

const LARGEST_FILE = 100 * 1024 * 1024;

interface Props {
  readonly edited: Edited;
  readonly organization: string;
  readonly start: Reading;
  readonly links: readonly ResolvedLinkFragment[];
  /** Whether the Markdown of the page stands beside its text. */
  readonly onBeside: (isBeside: boolean) => void;
  readonly onSession: (session: Session | null) => void;
}

export function Editor(props: Props) {
  const { edited, start, links, onSession } = props;
  const texts = useTexts();
  const client = useClient();
  const viewer = useViewer();
  const place = useRef<HTMLDivElement>(null);
  const [session, setSession] = useState<Session | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const files = useRef(new Map<string, Uploaded>());
  /** Titles of what was chosen here, which the page does not say yet. */
  const titles = useRef(new Map<string, string>());
  const newest = useRef(links);
  newest.current = links;
  // In another language the text goes on where it is: a session made anew would begin with the page as it was.
  const said = useRef(texts);
  said.current = texts;
  const store = keyOfPage(viewer.id, edited.space, edited.version.kind === 'change' ? edited.version.id : null, edited.page);
  const search = useRef<typeof import('./insert-search.ts') | null>(null);
  const options = useCallback((query: string) => {
    const { insertions } = said.current.editor;
    if (search.current) return search.current.offered(query, insertions, search.current.recentOf(viewer.id));
    // Until the words are there by which each is found, its name.
    return INSERTIONS.filter((id) => insertions[id].toLowerCase().includes(query.trim().toLowerCase()));
  }, [viewer.id]);
  useEffect(() => {
    void Promise.all([import('./insert-search.ts'), import('./insert-list.tsx')]).then(([loaded]) => (search.current = loaded), () => undefined);
  }, []);
  useEffect(() => {
    if (place.current === null) return;
    const resolve = (reference: ContentReference): Target => {
      const file = reference.kind === 'file' ? files.current.get(reference.file) : undefined;
      if (file) return { title: file.name, href: file.href, inside: false, broken: false, emoji: null, file: { contentType: file.contentType, size: file.size, width: null, height: null } };
      const target = resolverOf({ space: edited.space, version: edited.version, links: newest.current })(reference);
      return target.title ? target : { ...target, title: titles.current.get(keyOf(reference)) ?? '' };
    };
    const session = new Session(place.current, start, store, {
      texts: said.current,
      resolve,
      check: (expression) => checkExpression(client, edited, said.current, expression),
      read: () => readPage(client, edited, said.current),
      readInPlace: (pasted) => readInPlace(client, edited, said.current, pasted),
      write: (sent) => writePage(client, edited, said.current, sent),
      label: (id) => said.current.editor.insertions[id],
      options,
      used: (id) => search.current?.noteUse(viewer.id, id),
      ask: setQuestion,
    });
    setSession(session);
    onSession(session);
    return () => {
      onSession(null);
      session.close();
    };
    // One session for a page; `start` is where it began.
  }, [client, viewer.id, edited.space, edited.page, edited.version]);
  return (
    <div className={css.editor}>
      {session ? (
        <Around
          {...props} session={session} question={question} setQuestion={setQuestion} options={options} files={files.current} titles={titles.current}
        />
      ) : null}
      <div ref={place} className={css.text} />
    </div>
  );
}

function Around({ edited, organization, onBeside, session, question, setQuestion, options, files, titles }: Props & {
  session: Session; question: Question | null; setQuestion: (question: Question | null) => void;
  options: (query: string) => readonly (typeof INSERTIONS)[number][]; files: Map<string, Uploaded>; titles: Map<string, string>;
}) {
  const texts = useTexts();
  const t = texts.editor;
  const client = useClient();
  const shown = useSyncExternalStore(session.listen, session.snapshot);
  const tools = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  /** What becomes of the file that is being chosen. */
  const chosen = useRef<{ sort: Sort; instead?: Instead | undefined }>({ sort: 'file' });
  const [markdown, setMarkdown] = useState<'shown' | 'hidden' | null>(null);
  useSoon(Clashes, Markdown);
  // What was typed there in a tab that is closed and not applied is shown again; until that is known nothing is typed.
  const [left, setLeft] = useState<KeptMarkdown | null | undefined>(undefined);
  useEffect(() => {
    let current = true;
    void adopt(session.name, keyOfMarkdown(session.store), (draft) => {
      if (!current) return false;
      setLeft(draft);
      if (draft !== null) setMarkdown('shown');
      return true;
    });
    return () => {
      current = false;
    };
  }, [session]);
  const isBeside = markdown === 'shown';
  useLayoutEffect(() => onBeside(isBeside && left !== undefined), [isBeside, left !== undefined, onBeside]);
  const close = (): void => {
    setQuestion(null);
    session.view.focus();
  };

  const send = async (all: readonly File[], place: Place, { sort, instead }: { sort?: Sort; instead?: Instead | undefined } = {}): Promise<void> => {
    setRefused(null);
    for (const file of all) {
      setSending(file.name);
      const uploaded = file.size <= LARGEST_FILE ? await uploadFile(client, edited, file) : null;
      if (uploaded === null) {
        setRefused(file.size <= LARGEST_FILE ? t.notUploaded(file.name) : t.tooLarge(file.name));
        continue;
      }
      files.set(uploaded.id, uploaded);
      const reference = { kind: 'file', file: uploaded.id };
      const isPicture = uploaded.contentType.startsWith('image/');
      if (instead) {
        if (isPicture || sort === 'file') instead(reference);
        else setRefused(t.noPicture(file.name));
        continue;
      }
      const key = sort === 'drawing' && isPicture ? newKey() : null;
      const node = key ? figure('drawing', { ref: reference }, key) : isPicture ? imageOf(reference, '') : figure('file', { ref: reference });
      place.put(session.view.state, node, (tr) => session.view.dispatch(tr));
      // What it shows is asked for at once: nobody else knows.
      if (key && all.length === 1) setQuestion({ about: 'block', position: placeOf(session.view, key, 0) });
    }
    session.release(place);
    setSending(null);
  };
  useEffect(followKeyboard, []);
  const name = ({ reference, title }: LinkTarget): void => void titles.set(keyOf(reference), title);

  useEffect(() => {
    if (question?.about === 'files') {
      setQuestion(null);
      void send(question.files, question.place);
    } else if (question?.about === 'choose') {
      setQuestion(null);
      if (chooser.current) {
        chosen.current = { sort: question.kind, instead: question.instead };
        chooser.current.accept = question.kind === 'file' ? '' : 'image/*';
        chooser.current.multiple = question.instead === undefined;
        chooser.current.click();
      }
    } else if (question?.about === 'toolbar') {
      setQuestion(null);
      tools.current?.querySelector('button')?.focus();
    }
  }, [question]);

  return (
    <>
      <input
        className={css.title}
        value={shown.title}
        aria-label={t.title}
        dir="auto"
        maxLength={500}
        onChange={(event) => event.target.value.trim() && session.setTitle(event.target.value)}
        onBlur={() => void session.saving.save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposed(event.nativeEvent)) session.view.focus();
        }}
      />
      <div className={css.bar}>
        <Tools session={session} shown={shown} options={options} ask={setQuestion} place={tools} />
        <Button look="plain" onPress={() => setMarkdown(isBeside ? 'hidden' : 'shown')} aria-pressed={isBeside}>{t.markdown}</Button>
      </div>
      <SavingNotice session={session} shown={shown} />
      {shown.offered ? (
        <Notice tone="warn" role="status">
          <span>{t.offered} <Ago at={new Date(shown.offered.kept.at).toISOString()} /></span>
          <div className={ui.actions}>
            <Button onPress={() => session.discardOffered()}>{t.discard}</Button>
            <Button look="primary" onPress={() => void session.takeOffered()}>{t.takeIn}</Button>
          </div>
        </Notice>
      ) : null}
      {sending ? <Notice tone="neutral" role="status">{t.uploading(sending)}</Notice> : null}
      {refused ? <Notice tone="bad" role="alert">{refused}</Notice> : null}
      <MovedSaid moved={shown.moved} />
      {shown.clashes.length > 0 || shown.otherTitle !== null ? <Suspense fallback={null}><Clashes session={session} shown={shown} /></Suspense> : null}
      <p className={css.hint}>{t.keys}</p>
      {markdown === null || left === undefined ? null : (
        <Suspense fallback={null}>
          <Markdown
            edited={edited} session={session} shown={shown} left={left} isShown={isBeside} onShow={() => setMarkdown('shown')}
            onClose={() => {
              setMarkdown(null);
              setLeft(null);
              session.view.focus();
            }}
          />
        </Suspense>
      )}
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          void send([...(event.target.files ?? [])], session.hold(), chosen.current);
          event.target.value = '';
        }}
      />
      <InsertMenu session={session} shown={shown} options={options} />
      <Asked
        question={question} session={session} edited={edited} organization={organization} check={(text) => checkExpression(client, edited, texts, text)}
        ask={setQuestion} onNamed={name} close={close}
      />
    </>
  );
}

/** Said anew for each move, also where it came to the same place; of moves that follow each other at once, where the block is in the end. */
function MovedSaid({ moved }: { moved: Moved | null }) {
  const t = useTexts().editor;
  return <p className="hidden-text" role="status">{moved ? <span key={moved.time}>{t.movedTo(moved.place, moved.of)}</span> : null}</p>;
}

function SavingNotice({ session, shown }: { session: Session; shown: Shown }) {
  const t = useTexts();
  const { saving } = shown;
  const isFailed = saving.is === 'failed';
  const signIn = outside(`/sign-in?next=${encodeURIComponent(window.location.pathname + window.location.search)}`);
  return (
    <div className={css.saving} data-state={saving.is}>
      <span role="status" aria-live={shown.speaks && !isFailed ? 'polite' : 'off'}>{t.editor.states[saving.is]}</span>
      {isFailed ? (
        <Notice tone="bad" role="alert">
          <strong>{t.failures[saving.trouble].title}</strong>
          <span>{saving.message}</span>
          <span>{shown.isKept ? t.editor.keptHere : t.editor.notKept}</span>
          <div className={ui.actions}>
            {saving.trouble === 'signedOut' || saving.trouble === 'another' ? <a href={signIn} target="_blank" rel="noreferrer">{t.signInElsewhere}</a> : null}
            <Button onPress={() => void session.saving.save()}>{t.editor.saveNow}</Button>
          </div>
        </Notice>
      ) : null}
    </div>
  );
}

export type { Version };
export const useEdited = (space: string, page: string, version: Version): Edited =>
  useMemo(() => ({ space, page, version }), [space, page, version]);
