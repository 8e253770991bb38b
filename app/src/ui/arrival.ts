/** Going from view to view: the focus comes along to the heading of the new one, unless it has work where it is. */

import { type RefObject, useEffect, useRef } from 'react';

let isArriving = false;
/** Another view begins: the first heading that is drawn from now on takes the focus. */
export const arrive = (): void => void (isArriving = true);

/** Whoever goes through a tree, or is typing, stays there. */
const STAYS = '[role=treegrid], [role=dialog], [role=menu], input, textarea, select, [contenteditable]';
/** A dialog that leads to another view, as the search does, closes meanwhile: so often it is waited for. */
const [WAITS, WAIT_MS] = [20, 50];

export function useHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isArriving) return;
    isArriving = false;
    const go = (waits: number): void => {
      if (waits > 0 && document.activeElement?.closest('[role=dialog]')) window.setTimeout(() => go(waits - 1), WAIT_MS);
      else if (!document.activeElement?.closest(STAYS)) heading.current?.focus({ preventScroll: true });
    };
    go(WAITS);
  }, []);
  return heading;
}

const HEADINGS = 'h1, h2, h3';
const PARTS = 'section, article, aside, #content, [role=dialog]';

/** The heading of the nearest part around what had the focus that is still there and has one; else the content. */
function nearest(around: readonly Element[]): HTMLElement | null {
  const content = document.getElementById('content');
  for (const part of [...around, content]) {
    const heading = part?.isConnected && part.matches(PARTS) ? part.querySelector<HTMLElement>(HEADINGS) : null;
    if (heading) return heading;
  }
  return content;
}

/** The level of a heading in its place: one below the first that is above it in the nearest part with one. */
export function levelIn(own: Element | null): number {
  for (let part = own?.closest(PARTS); own && part; part = part.parentElement?.closest(PARTS)) {
    const first = [...part.querySelectorAll(HEADINGS)].find((heading) => heading !== own);
    if (first && first.compareDocumentPosition(own) & Node.DOCUMENT_POSITION_FOLLOWING) return Number(first.localName.slice(1)) + 1;
  }
  return 1;
}

/** The focus goes to the heading of the part that something stands in. */
export function goToHeading(of: Element | null): void {
  let around: readonly Element[] = [];
  for (let at = of; at !== null; at = at.parentElement) around = [...around, at];
  const heading = nearest(around);
  // Headings of parts take no focus but this one.
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}

/**
 * What had the focus is gone, as a row that was removed is: the focus goes to the text that it stood in, or to the heading of the
 * part, and not to the beginning of the page. What could not be used for a while has it again.
 */
export function keepFocus(): () => void {
  let around: readonly Element[] = [];
  // What had the focus before a dialog, which takes all that is around it along when it closes.
  let outside: readonly Element[] = [];
  let timer = 0;
  // A button that cannot be pressed while its answer is on its way loses the focus, and has it again when it can.
  let isOff = false;
  const note = ({ target }: Event): void => {
    isOff = false;
    around = [];
    for (let at: Element | null = target instanceof Element ? target : null; at !== null; at = at.parentElement) around = [...around, at];
    if (!around.some((element) => element.matches('[role=dialog]'))) outside = around;
  };
  const look = (): void => {
    timer = 0;
    const [last] = around;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    const places = [...around, ...outside];
    const text = places.find((place) => place.isConnected && place.matches('[contenteditable=true]'));
    const heading = text === undefined ? nearest(places) : null;
    // Headings of parts take no focus but this one.
    heading?.setAttribute('tabindex', '-1');
    (text instanceof HTMLElement ? text : heading)?.focus({ preventScroll: true });
  };
  const removed = new MutationObserver((changes) => {
    const [last] = around;
    if (last instanceof HTMLElement && changes.some(({ type, target }) => type === 'attributes' && target === last)) {
      if (last.matches(':disabled')) isOff = true;
      else if (isOff && document.activeElement === document.body) last.focus({ preventScroll: true });
    }
    // Whoever puts something in its place, or gives the focus back, does so first.
    if (around[0]?.isConnected === false && document.activeElement === document.body) timer ||= window.setTimeout(look, 100);
  });
  document.addEventListener('focusin', note);
  removed.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', note);
    removed.disconnect();
    window.clearTimeout(timer);
  };
}
