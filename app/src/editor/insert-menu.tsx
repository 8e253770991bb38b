/** The list behind `/`: it follows the caret, which stays in the text. */

import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../texts/texts.tsx';
import css from './editor.module.css';
import type { InsertionId } from './insertions.ts';
import type { Session, Shown } from './session.ts';
import { chooseOption, MENU_ID, optionId, slashKey } from './slash.ts';

const WIDTH = 240;
const HEIGHT = 300;

export function InsertMenu({ session, shown, options }: {
  session: Session; shown: Shown; options: (query: string) => readonly InsertionId[];
}) {
  const t = useTexts().editor;
  const list = useRef<HTMLUListElement>(null);
  const open = slashKey.getState(shown.state);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  if (!open || session.view.isDestroyed) return null;
  const at = session.view.coordsAtPos(Math.min(open.from, session.view.state.doc.content.size));
  const isLow = at.bottom + HEIGHT > window.innerHeight && at.top > HEIGHT;
  const left = Math.max(8, Math.min(at.left, window.innerWidth - WIDTH - 8));
  const there = options(open.query);
  return createPortal(
    <div
      className={css.menu}
      style={{ left, ...(isLow ? { bottom: window.innerHeight - at.top + 4 } : { top: at.bottom + 4 }), inlineSize: WIDTH, maxBlockSize: HEIGHT }}
      // The caret stays where it is.
      onMouseDown={(event) => event.preventDefault()}
    >
      <ul id={MENU_ID} ref={list} role="listbox" aria-label={t.insertBlock}>
        {there.map((id, index) => (
          <li
            key={id}
            id={optionId(id)}
            role="option"
            aria-selected={index === open.index}
            onClick={() => chooseOption(session.view, id, { options, choose: () => session.insert(id) })}
          >
            {t.insertions[id]}
          </li>
        ))}
      </ul>
      <p role="status" className={there.length > 0 ? 'hidden-text' : css.none}>{there.length > 0 ? `${t.insertions[there[open.index] ?? 'paragraph']}` : t.nothingToInsert}</p>
    </div>,
    document.body,
  );
}
