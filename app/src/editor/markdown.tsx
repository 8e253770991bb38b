/** The page as Markdown beside its text: it can be edited, and comes into the text as blocks that were changed. */

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useClient } from 'urql';
import { useTexts } from '../texts/texts.tsx';
import { Ago } from '../texts/times.tsx';
import { isComposed } from '../ui/keyboard.ts';
import { Button, Notice, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import { type Edited, readMarkdown, readSource, type Source } from './graph.ts';
import { adopt, forgetMarkdown, keepMarkdown, type KeptMarkdown, keyOfMarkdown } from './markdown-kept.ts';
import { namedAsIn, newlyUnknown } from './markdown-keys.ts';
import type { Session, Shown } from './session.ts';

/** Fields of the page stand before its text; they have a place of their own. */
const FRONT_MATTER = /^\s*---[ \t]*\r?\n(?:[^]*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/u;

const SHOWN = 60;
const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';

interface Fault {
  readonly title: string;
  readonly message: string;
}

export function Markdown({ edited, session, shown, left, isShown, onShow, onClose }: {
  edited: Edited; session: Session; shown: Shown;
  /** What was typed in a tab that is closed. */
  left: KeptMarkdown | null;
  /** Where it is not, what was typed in it waits, and comes into the page when somebody is done. */
  isShown: boolean;
  onShow: () => void; onClose: () => void;
}) {
  const texts = useTexts();
  const t = texts.editor;
  const client = useClient();
  const id = useId();
  const store = keyOfMarkdown(session.store);
  const [draft, setDraft] = useState(left);
  const [source, setSource] = useState<Source | null>(null);
  /** What was typed; null while it is the page's. */
  const [text, setText] = useState<string | null>(draft?.text ?? null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [isKept, setKept] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [tries, setTries] = useState(0);
  const section = useRef<HTMLElement>(null);
  const typed = useRef(text);
  typed.current = text;

  // While nothing is typed here it follows the page; what is typed stays on top of what it was made of.
  useEffect(() => {
    if (shown.saving.is !== 'saved' && source !== null) return;
    if ((text !== null || !isShown) && source !== null) return;
    let current = true;
    void (async () => {
      // What was kept from before was made of an older page, which the space still has.
      const answer = await readSource(client, edited, texts, text !== null && draft ? draft.revision : null);
      if (!current) return;
      if ('value' in answer) {
        if (source === null || typed.current === null) setSource(answer.value);
        setFault(null);
      } else if ('trouble' in answer) setFault({ title: texts.failures[answer.trouble].title, message: answer.message });
    })();
    return () => {
      current = false;
    };
  }, [client, edited, shown.revision, shown.saving.is === 'saved', text === null, isShown, tries]);

  const type = (value: string): void => {
    setSaid('');
    setFault(null);
    if (source === null) return;
    setText(value);
    setKept(keepMarkdown(store, { revision: source.revision, text: value }));
  };
  /** It is in the page, or given up: another tab may have left something, too. */
  const forget = (): void => {
    forgetMarkdown(store);
    setText(null);
    setDraft(null);
    void adopt(session.name, store, (next) => {
      if (next === null || typed.current !== null || section.current === null) return false;
      setDraft(next);
      setText(next.text);
      setSource(null);
      return true;
    });
  };
  const discard = (): void => {
    forget();
    setFault(null);
    setKept(true);
  };
  const refuse = (title: string, message: string): false => {
    setFault({ title, message });
    if (!isShown) onShow();
    return false;
  };

  /** Bring what was typed into the page; false where it was refused: then it stays here. */
  const apply = async (): Promise<boolean> => {
    if (text === null || source === null) return text === null;
    if (isBusy) return false;
    if (FRONT_MATTER.test(text)) return refuse(t.markdownRefused, t.noFrontMatter);
    setBusy(true);
    setFault(null);
    try {
      await session.saving.save();
      const answer = await readMarkdown(client, edited, texts, text);
      if ('trouble' in answer) return refuse(texts.failures[answer.trouble].title, answer.message);
      if (!('value' in answer)) return refuse(texts.failures.server.title, texts.failures.server.advice);
      // Somebody went on typing while the server has read.
      if (typed.current !== text) return false;
      const parsed = answer.value;
      const unknown = parsed === null ? [] : newlyUnknown(source.blocks, parsed.blocks);
      let next: Source = { ...source, markdown: text };
      if (parsed !== null) {
        // Its title is another one where its first line is: a heading need not say all of a title.
        const title = firstLine(text) === firstLine(source.markdown) ? source.title : parsed.title;
        const blocks = parsed.revision === source.revision ? parsed.blocks : namedAsIn(source.blocks, parsed.blocks);
        const revision = await session.takeIn(source, blocks, title);
        // What is typed from here on is made of this text, also where the page is not read again yet.
        next = { ...next, title, blocks, revision: revision ?? source.revision };
      }
      setSource(next);
      const newer = typed.current;
      if (newer !== null && newer !== text) {
        setKept(keepMarkdown(store, { revision: next.revision, text: newer }));
        return false;
      }
      forget();
      // The button that was pressed cannot be pressed any more.
      if (section.current?.contains(document.activeElement)) section.current.querySelector('textarea')?.focus();
      const [first] = unknown;
      setSaid(parsed === null ? t.markdownSame : first === undefined ? t.markdownApplied : t.markdownUnknown(unknown.length, firstLine(first).slice(0, SHOWN)));
      return true;
    } finally {
      setBusy(false);
    }
  };
  const newest = useRef(apply);
  newest.current = apply;
  useEffect(() => {
    session.before = () => newest.current();
    return () => {
      session.before = null;
    };
  }, [session]);

  const keys = (event: KeyboardEvent): void => {
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && (event.key === 'Enter' || event.key.toLowerCase() === 's')) {
      event.preventDefault();
      void apply();
    } else if (event.key === 'Escape' && !isComposed(event.nativeEvent)) {
      event.preventDefault();
      session.view.focus();
    }
  };
  const isOld = text !== null && source !== null && source.revision < shown.revision;
  return (
    <section ref={section} className={isShown ? css.beside : undefined} aria-label={t.markdownOf} hidden={!isShown}>
      <div className={css.head}>
        <p role="status" className={css.hint}>
          {isBusy ? t.markdownBusy : text === null ? said : isOld ? t.markdownOld : t.markdownTyped}
        </p>
        <div className={ui.actions}>
          <Button onPress={text === null ? onClose : discard} isDisabled={isBusy}>{text === null ? texts.close : t.discard}</Button>
          <Button look="primary" isDisabled={text === null || source === null} onPress={() => void apply()}>{t.applyMarkdown}</Button>
        </div>
      </div>
      {text !== null && draft !== null && text === draft.text ? (
        <Notice tone="warn" role="status"><span>{t.markdownKept} <Ago at={new Date(draft.at).toISOString()} /></span></Notice>
      ) : null}
      {text !== null && !isKept && fault === null ? <Notice tone="warn" role="status">{t.notKept}</Notice> : null}
      {fault ? (
        <Notice tone="bad" role="alert">
          <strong>{fault.title}</strong>
          <span>{fault.message}</span>
          {text !== null ? <span>{isKept ? t.markdownStays : t.notKept}</span> : null}
          {source === null ? <div><Button onPress={() => setTries(tries + 1)}>{texts.tryAgain}</Button></div> : null}
        </Notice>
      ) : null}
      <textarea
        className={css.markdown}
        value={text ?? source?.markdown ?? ''}
        aria-label={t.markdownOf}
        aria-describedby={id}
        spellCheck={false}
        dir="auto"
        readOnly={source === null}
        onChange={(event) => type(event.target.value)}
        onKeyDown={keys}
      />
      <p id={id} className={css.hint}>{t.markdownKeys}</p>
    </section>
  );
}
