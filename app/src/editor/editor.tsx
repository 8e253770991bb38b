/** A page that is being written: its title, tools, text, and what has become of what was typed. */

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useClient } from 'urql';
import { type ContentReference } from '../document/model.ts';
import { insertionsOfPage, nowhere, ReaderContext, resolverOf, type Target } from '../document/references.tsx';
import { DocumentBody } from '../document/blocks.tsx';
import type { Block } from '../document/model.ts';
import type { ResolvedLinkFragment } from '../graph/generated/graphql.ts';
import { useRead } from '../graph/reading.tsx';
import { outside, type Version } from '../place.ts';
import { useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { Button, Notice, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import { BlockForm, LinkForm, type LinkTarget } from './forms.tsx';
import { type Edited, isSamePerson, MARKDOWN, readPage, type Uploaded, uploadFile, variablesOf, writePage } from './graph.ts';
import { InsertMenu } from './insert-menu.tsx';
import { atomOf, figure, imageOf, inserted, INSERTIONS } from './insertions.ts';
import type { Data, Json } from '../document/json.ts';
import { KINDS, typeOf } from './kinds.ts';
import { keyOfPage } from './remembered.ts';
import type { Reading } from './saving.ts';
import { newLink, schema } from './schema.ts';
import { type Question, Session, type Shown } from './session.ts';
import { Tools } from './toolbar.tsx';
import { setData } from './views.ts';

const LARGEST_FILE = 100 * 1024 * 1024;

interface Props {
  readonly edited: Edited;
  readonly organization: string;
  readonly start: Reading;
  readonly links: readonly ResolvedLinkFragment[];
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
  const newest = useRef(links);
  newest.current = links;
  // In another language the text goes on where it is: a session made anew would begin with the page as it was.
  const said = useRef(texts);
  said.current = texts;
  const options = useCallback((query: string) => {
    const words = query.trim().toLowerCase();
    return INSERTIONS.filter((id) => !words || `${said.current.editor.insertions[id]} ${id}`.toLowerCase().includes(words));
  }, []);
  useEffect(() => {
    if (place.current === null) return;
    const resolve = (reference: ContentReference): Target => {
      const file = reference.kind === 'file' ? files.current.get(reference.file) : undefined;
      if (file) return { title: file.name, href: file.href, inside: false, broken: false, emoji: null, file: { contentType: file.contentType, size: file.size, width: null, height: null } };
      return resolverOf({ space: edited.space, version: edited.version, links: newest.current })(reference);
    };
    const change = edited.version.kind === 'change' ? edited.version.id : null;
    const made = new Session(place.current, start, keyOfPage(viewer.id, edited.space, change, edited.page), {
      texts: said.current,
      resolve,
      read: () => readPage(client, edited, said.current),
      write: (edits, title, revision) => writePage(client, edited, said.current, edits, title, revision),
      isSame: () => isSamePerson(client, viewer.id, said.current),
      label: (id) => said.current.editor.insertions[id],
      options,
      ask: setQuestion,
    });
    setSession(made);
    onSession(made);
    return () => {
      onSession(null);
      made.close();
    };
    // One session for a page; `start` is where it began.
  }, [client, viewer.id, edited.space, edited.page, edited.version]);
  return (
    <div className={css.editor}>
      {session ? <Around {...props} session={session} question={question} setQuestion={setQuestion} options={options} files={files.current} /> : null}
      <div ref={place} className={css.text} />
    </div>
  );
}

function Around({ edited, organization, session, question, setQuestion, options, files }: Props & {
  session: Session; question: Question | null; setQuestion: (question: Question | null) => void;
  options: (query: string) => readonly (typeof INSERTIONS)[number][]; files: Map<string, Uploaded>;
}) {
  const texts = useTexts();
  const t = texts.editor;
  const client = useClient();
  const shown = useSyncExternalStore(session.listen, session.snapshot);
  const tools = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [isBeside, setBeside] = useState(false);
  const close = (): void => {
    setQuestion(null);
    session.view.focus();
  };

  const send = async (all: readonly File[]): Promise<void> => {
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
      const made = uploaded.contentType.startsWith('image/') ? imageOf(reference, '') : figure('file', { ref: reference });
      session.view.dispatch(inserted(session.view.state, made));
    }
    setSending(null);
  };

  useEffect(() => {
    if (question?.about === 'files') {
      setQuestion(null);
      void send(question.files);
    } else if (question?.about === 'choose') {
      setQuestion(null);
      if (chooser.current) {
        chooser.current.accept = question.kind === 'image' ? 'image/*' : '';
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
          if (event.key === 'Enter') session.view.focus();
        }}
      />
      <div className={css.bar}>
        <Tools session={session} shown={shown} ask={setQuestion} place={tools} />
        <Button look="plain" onPress={() => setBeside(!isBeside)} aria-pressed={isBeside}>{t.markdown}</Button>
      </div>
      <SavingNotice session={session} shown={shown} />
      {shown.offered ? (
        <Notice tone="warn" role="status">
          <span>{t.offered} <Ago at={new Date(shown.offered.kept.at).toISOString()} /></span>
          <div className={ui.actions}>
            <Button onPress={() => session.discardOffered()}>{t.discard}</Button>
            <Button look="primary" onPress={() => session.takeOffered()}>{t.takeIn}</Button>
          </div>
        </Notice>
      ) : null}
      {sending ? <Notice tone="neutral" role="status">{t.uploading(sending)}</Notice> : null}
      {refused ? <Notice tone="bad" role="alert">{refused}</Notice> : null}
      {shown.clashes.map((clash) => (
        <Notice key={clash.key} tone="warn" role="status">
          <strong>{clash.theirs ? t.clash : t.clashGone}</strong>
          {clash.theirs ? <ReaderContext.Provider value={{ ...nowhere, insertions: insertionsOfPage() }}><DocumentBody nodes={[clash.theirs as unknown as Block]} /></ReaderContext.Provider> : null}
          <div className={ui.actions}>
            <Button onPress={() => session.settle(clash.key, true)}>{t.takeTheirs}</Button>
            <Button look="primary" onPress={() => session.settle(clash.key, false)}>{t.keepMine}</Button>
          </div>
        </Notice>
      ))}
      <p className={css.hint}>{t.keys}</p>
      {isBeside ? <Markdown edited={edited} revision={shown.saving.is} /> : null}
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          void send([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <InsertMenu session={session} shown={shown} options={options} />
      <Asked question={question} session={session} shown={shown} space={edited.space} organization={organization} close={close} />
    </>
  );
}

function SavingNotice({ session, shown }: { session: Session; shown: Shown }) {
  const t = useTexts();
  const { saving } = shown;
  const isFailed = saving.is === 'failed';
  const signIn = outside(`/sign-in?next=${encodeURIComponent(window.location.pathname + window.location.search)}`);
  return (
    <div className={css.saving} data-state={saving.is}>
      <span role="status">{t.editor.states[saving.is]}</span>
      {isFailed ? (
        <Notice tone="bad" role="alert">
          <strong>{t.failures[saving.trouble].title}</strong>
          <span>{saving.message}</span>
          <span>{shown.isKept ? t.editor.keptHere : t.editor.notKept}</span>
          <div className={ui.actions}>
            {saving.trouble === 'signedOut' ? <a href={signIn} target="_blank" rel="noreferrer">{t.signInElsewhere}</a> : null}
            <Button onPress={() => void session.saving.save()}>{t.editor.saveNow}</Button>
          </div>
        </Notice>
      ) : null}
    </div>
  );
}

/** The page as Markdown, as the graph has it; read anew when something was saved. */
function Markdown({ edited, revision }: { edited: Edited; revision: string }) {
  const t = useTexts().editor;
  const client = useClient();
  const result = useRead(MARKDOWN, variablesOf(edited));
  useEffect(() => {
    if (revision === 'saved') void client.query(MARKDOWN, variablesOf(edited), { requestPolicy: 'network-only' }).toPromise();
  }, [client, revision]);
  const page = result.data?.page;
  return (
    <section className={css.beside} aria-label={t.markdownOf}>
      <pre tabIndex={0}>{page && 'markdown' in page ? page.markdown : ''}</pre>
    </section>
  );
}

function Asked({ question, session, shown, space, organization, close }: {
  question: Question | null; session: Session; shown: Shown; space: string; organization: string; close: () => void;
}) {
  const { view } = session;
  if (question?.about === 'link' || question?.about === 'page') {
    const onlyPages = question.about === 'page';
    const choose = ({ reference, title }: LinkTarget): void => {
      if (onlyPages) view.dispatch(inserted(shown.state, atomOf('content-ref', { ref: reference })));
      else link(session, reference, title);
      close();
    };
    return (
      <LinkForm
        space={space}
        organization={organization}
        onlyPages={onlyPages}
        hasLink={!onlyPages && linkedRange(shown) !== null}
        onChoose={choose}
        onRemove={() => {
          const range = linkedRange(shown);
          if (range) view.dispatch(shown.state.tr.removeMark(range.from, range.to, schema.marks['link']));
          close();
        }}
        onClose={close}
      />
    );
  }
  if (question?.about === 'new') {
    const make = (data: Data): void => {
      view.dispatch(inserted(shown.state, question.type === 'math' ? atomOf('math', { ...data }) : figure('embed', { ...data })));
      close();
    };
    return <BlockForm key={question.type} type={question.type} data={{}} isNew onApply={make} onDelete={close} onAdd={null} onClose={close} />;
  }
  if (question?.about !== 'block') return null;
  const { position } = question;
  const node = shown.state.doc.nodeAt(position);
  if (node === null) return null;
  const json = node.type.name === 'block_atom' ? (node.attrs['json'] as Json) : null;
  const type = json?.type ?? typeOf(node.type.name);
  const data = json ? (json.data ?? {}) : ((node.attrs['data'] as Data | null) ?? KINDS[type]?.data ?? {});
  const remove = (): void => {
    const $place = shown.state.doc.resolve(position);
    // The last part of a block goes with it.
    const isOnly = $place.parent.childCount === 1 && $place.depth > 0;
    const [from, to] = isOnly ? [$place.before(), $place.after()] : [position, position + node.nodeSize];
    view.dispatch(shown.state.tr.delete(from, to));
    close();
  };
  const add = (): void => {
    const made = node.type.createAndFill();
    if (made) view.dispatch(shown.state.tr.insert(position + node.nodeSize, made));
    close();
  };
  return (
    <BlockForm
      key={position}
      type={type}
      data={data}
      isNew={false}
      onApply={(values) => {
        setData(view, position, values);
        close();
      }}
      onDelete={remove}
      onAdd={KINDS[type]?.isPart && type !== 'image' ? add : null}
      onClose={close}
    />
  );
}

/** The link that the caret stands in, or the links of the selection. */
function linkedRange(shown: Shown): { from: number; to: number } | null {
  const { from, to, empty, $from } = shown.state.selection;
  const type = schema.marks['link'];
  if (type === undefined) return null;
  if (!empty) return shown.state.doc.rangeHasMark(from, to, type) ? { from, to } : null;
  let range: { from: number; to: number } | null = null;
  $from.parent.forEach((child, offset) => {
    const start = $from.start() + offset;
    if (type.isInSet(child.marks) && start <= from && start + child.nodeSize >= from) range = { from: start, to: start + child.nodeSize };
  });
  return range;
}

function link(session: Session, reference: Data, title: string): void {
  const { state } = session.view;
  const { empty, from, to } = state.selection;
  const mark = schema.mark('link', { json: newLink(reference) });
  const range = empty ? linkedRange(session.snapshot()) : { from, to };
  const tr = range ? state.tr.addMark(range.from, range.to, mark) : state.tr.replaceSelectionWith(schema.text(title, [mark]), false);
  session.view.dispatch(tr.removeStoredMark(mark));
}

export type { Version };
export const useEdited = (space: string, page: string, version: Version): Edited =>
  useMemo(() => ({ space, page, version }), [space, page, version]);
