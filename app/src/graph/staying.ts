/** Words that somebody has typed stand on the screen as long as they do not take them away: also where what they are about is gone. */

import { useRef } from 'react';

/** Fields that somebody has typed in, and texts that they have been in. */
const typed = new Set<Element>();
/** What is typed there is only sought. */
const SEEKS = '[type=search], [role=combobox]';

export const noteTyped = (field: Element): void => void typed.add(field);

const note = ({ target }: Event): void => {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) noteTyped(target);
};
const enter = ({ target }: Event): void => {
  if (target instanceof HTMLElement && target.isContentEditable) noteTyped(target);
};
document.addEventListener('input', note, true);
document.addEventListener('focusin', enter, true);

const hasWords = (field: Element): boolean => {
  if (field.matches(SEEKS)) return false;
  if (field instanceof HTMLInputElement) return field.type !== 'checkbox' && field.type !== 'radio' && field.type !== 'file' && field.value.trim() !== '';
  return (field instanceof HTMLTextAreaElement ? field.value : field.textContent).trim() !== '';
};

/** Whether words that were typed stand on the screen, or within an element of it. */
export function holdsTyped(within: Element | null = document.body): boolean {
  let holds = false;
  for (const field of typed) {
    if (!field.isConnected) typed.delete(field);
    else if (within?.contains(field) && hasWords(field)) holds = true;
  }
  return holds;
}

/** What somebody might do a moment ago they may go on with while words stand there (`of`: with which of several); the server says why it is refused. */
export function useStill(may: boolean, of = ''): boolean {
  const might = useRef<string | null>(null);
  if (may) might.current = of;
  else if (might.current !== of || !holdsTyped()) might.current = null;
  return might.current !== null;
}

/** What was there before, of the same object, where it is gone now (`isGone`) and words stand on the screen. */
export function useStaying<Part>(of: string | undefined, now: Part | null | undefined, isGone: boolean): Part | null | undefined {
  const before = useRef<{ readonly of: string | undefined; readonly part: Part } | null>(null);
  if (now != null) before.current = { of, part: now };
  else if (!isGone || before.current?.of !== of || !holdsTyped()) before.current = null;
  return now ?? before.current?.part;
}

/** Rows with those between them that are gone now and in whose elements typed words stand (`within`); `of`: what they are rows of. */
export function useStayingRows<Row extends { readonly id: string }>(
  of: string, now: readonly Row[], within: (id: string) => Element | null,
): { readonly rows: readonly Row[]; readonly gone: ReadonlySet<string> } {
  const shown = useRef<{ readonly of: string; readonly rows: readonly Row[] }>({ of, rows: now });
  const there = new Set(now.map(({ id }) => id));
  const before = shown.current.of === of ? shown.current.rows : [];
  const gone = new Set<string>();
  /** Those that stay, by the row that they stand behind. */
  const behind = new Map<string, Row[]>();
  let last = '';
  for (const row of before) {
    const element = there.has(row.id) ? null : within(row.id);
    if (there.has(row.id)) last = row.id;
    else if (element !== null && holdsTyped(element)) {
      gone.add(row.id);
      behind.set(last, [...(behind.get(last) ?? []), row]);
    }
  }
  const rows = gone.size === 0 ? now : [...(behind.get('') ?? []), ...now.flatMap((row) => [row, ...(behind.get(row.id) ?? [])])];
  shown.current = { of, rows };
  return { rows, gone };
}
