/** A field for Markdown in which `@` and a name mention somebody who may read the space. */

import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { isComposed } from '../ui/keyboard.ts';
import { ui } from '../ui/ui.tsx';
import { aside, matching, type Mentioned, remember, wordAt } from './mentions.ts';
import { usePeople } from './people.ts';
import css from './review.module.css';

export function MentionArea({ space, draft, label, isLabelHidden = false, hint, text, onText, onSend, isWrong = false, autoFocus = false, placeholder, rows }: {
  space: string; draft: string; label: string; isLabelHidden?: boolean; hint?: ReactNode; text: string; onText: (text: string) => void; onSend?: () => void;
  isWrong?: boolean; autoFocus?: boolean; placeholder?: string; rows?: number;
}) {
  const t = useTexts();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const word = caret === null ? null : wordAt(text, caret);
  const [isAsked, setAsked] = useState(false);
  const { people: all, error, again, isReading, isMore } = usePeople(space, isAsked);
  const everybody = useMemo(() => all.map(({ user }) => user), [all]);
  useEffect(() => {
    if (word !== null) setAsked(true);
  }, [word !== null]);
  const people = word === null ? [] : matching(everybody, word.word);
  const isOpen = people.length > 0;
  const chosen = Math.min(at, people.length - 1);

  const mention = (person: Mentioned): void => {
    if (word === null || caret === null) return;
    const { id: of, displayName: name, urls } = person;
    const before = `${text.slice(0, word.from)}@${remember({ id: of, name, url: urls.location }, aside(person, everybody), draft)} `;
    onText(before + text.slice(caret).replace(/^ /u, ''));
    setCaret(null);
    area.current?.focus();
    window.requestAnimationFrame(() => area.current?.setSelectionRange(before.length, before.length));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return onSend?.();
    if (!isOpen || isComposed(event.nativeEvent)) return;
    const person = people[chosen];
    if (event.key === 'ArrowDown') setAt((chosen + 1) % people.length);
    else if (event.key === 'ArrowUp') setAt((chosen + people.length - 1) % people.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && person) mention(person);
    else if (event.key === 'Escape') setCaret(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={`${ui.field} ${css.mentioning}`}>
      <label className={isLabelHidden ? 'hidden-text' : ui.label} htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={area}
        className={ui.input}
        {...(rows === undefined ? {} : { rows, style: { minBlockSize: '2.6rem' } })}
        {...(hint ? { 'aria-describedby': `${id}-about` } : {})}
        placeholder={placeholder}
        value={text}
        autoFocus={autoFocus}
        dir="auto"
        aria-invalid={isWrong || undefined}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-people` : undefined}
        aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
        onChange={(event) => {
          onText(event.target.value);
          setCaret(event.target.selectionStart);
          setAt(0);
        }}
        // Whoever goes elsewhere in the text with keys or by pointing writes no name any more.
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => setCaret((now) => (selectionStart === now && selectionEnd === now ? now : null))}
        onKeyDown={onKey}
        onBlur={() => setCaret(null)}
      />
      {isOpen ? (
        <ul className={`${ui.popover} ${ui.menu} ${css.choices}`} role="listbox" id={`${id}-people`} aria-label={t.peopleToMention}>
          {people.map((person, index) => (
            <li
              key={person.id} id={`${id}-${index}`} role="option" aria-selected={index === chosen} className={ui.menuItem}
              data-focused={index === chosen || undefined}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => mention(person)}
            >
              <bdi>{person.displayName}</bdi>
              {aside(person, everybody) === null ? null : <> <small className={ui.hint}><bdi>{aside(person, everybody)}</bdi></small></>}
            </li>
          ))}
        </ul>
      ) : null}
      {word !== null && isMore && error === undefined ? (
        <span className={ui.hint} role="status">{isReading ? t.moreToMention(all.length) : t.notAllToMention(all.length)}</span>
      ) : null}
      {isAsked && text.includes('@') ? (
        <FailureNotice error={error} again={again} back={area} />
      ) : null}
      {hint ? <span className={ui.hint} id={`${id}-about`}>{hint}</span> : null}
      <span className="hidden-text" role="status">{isOpen ? t.mentionOf(people.length) : ''}</span>
    </div>
  );
}
