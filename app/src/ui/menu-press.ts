/**
 * The menu of a row: a finger that rests on it opens it, and the second button of a mouse does. It is the menu of the row and not
 * that of the browser, nothing is dragged by fingers, and a finger that was lifted behind it has pressed nothing.
 */

import { type DOMAttributes, useEffect, useMemo, useRef } from 'react';

/** So long a finger rests; browsers take about as long for their own menus. */
const REST_MS = 500;
/** So far it may shake meanwhile, in pixels. */
const SHAKES = 10;
/** What has a menu of the browser, or something else to do. */
const OWN = 'a[href], input, textarea, [contenteditable]';

interface Resting {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly timer: number;
}

/** What says that a touch is over, also where the browser has lost its end: another one, a key, a window that is left. */
const OVER = ['pointerdown', 'keydown', 'blur', 'pagehide'];

/** What a finger still does that has opened a menu is for nobody. */
function swallow(): () => void {
  const stop = (event: Event): void => {
    if (!event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const kinds = ['pointerup', 'touchend', 'mousedown', 'mouseup', 'click', 'contextmenu'];
  for (const kind of kinds) window.addEventListener(kind, stop, { capture: true, passive: false });
  return () => {
    for (const kind of kinds) window.removeEventListener(kind, stop, { capture: true });
  };
}

/** Handlers for what is around rows; `buttonOf`: what opens the menu of the row that something stands in. */
export function useMenuPress(buttonOf: (at: Element) => HTMLElement | null | undefined): DOMAttributes<HTMLElement> {
  const button = useRef(buttonOf);
  button.current = buttonOf;
  const resting = useRef<Resting | null>(null);
  const isByTouch = useRef(false);
  const handlers = useMemo(() => {
    const leave = (): void => {
      window.clearTimeout(resting.current?.timer);
      resting.current = null;
    };
    const menuAt = (target: EventTarget): HTMLElement | null => {
      const at = target instanceof Element ? target : null;
      return at === null || at.closest(OWN) ? null : (button.current(at) ?? null);
    };
    return {
      leave,
      props: {
        onPointerDownCapture: ({ target, pointerType, pointerId: pointer, clientX: x, clientY: y, isPrimary }) => {
          leave();
          isByTouch.current = pointerType === 'touch';
          const opens = menuAt(target);
          if (!isByTouch.current || !isPrimary || opens === null) return;
          const timer = window.setTimeout(() => {
            resting.current = null;
            // What was pressed is let go, and the rest of the touch is swallowed.
            target.dispatchEvent(new PointerEvent('pointercancel', { pointerId: pointer, pointerType, bubbles: true }));
            const ends = new AbortController();
            const on = (kinds: readonly string[], end: (event: Event) => void): void => {
              for (const kind of kinds) window.addEventListener(kind, (event) => event.isTrusted && end(event), { capture: true, signal: ends.signal });
            };
            // The browser tells of a click behind it.
            on(['pointerup', 'pointercancel'], (event) => (event as PointerEvent).pointerId === pointer && window.setTimeout(() => ends.abort(), 50));
            on(OVER, ({ type, target }) => (type !== 'blur' || target === window) && ends.abort());
            ends.signal.addEventListener('abort', swallow());
            opens.click();
          }, REST_MS);
          resting.current = { pointer, x, y, timer };
        },
        onPointerMoveCapture: ({ pointerId, clientX, clientY }) => {
          const from = resting.current;
          if (from?.pointer === pointerId && Math.hypot(clientX - from.x, clientY - from.y) > SHAKES) leave();
        },
        onPointerUpCapture: leave,
        // Scrolling has begun.
        onPointerCancelCapture: leave,
        onContextMenuCapture: (event) => {
          const opens = menuAt(event.target);
          if (opens === null) return;
          event.preventDefault();
          if (!isByTouch.current) opens.click();
        },
        onDragStartCapture: (event) => {
          if (!isByTouch.current) return;
          event.preventDefault();
          event.stopPropagation();
        },
      } satisfies DOMAttributes<HTMLElement>,
    };
  }, []);
  // The menu key, and Shift F10, ask for a menu as the second button does, whatever was touched before.
  useEffect(() => {
    const byKey = (): void => void (isByTouch.current = false);
    window.addEventListener('keydown', byKey, true);
    return () => {
      window.removeEventListener('keydown', byKey, true);
      handlers.leave();
    };
  }, [handlers]);
  return handlers.props;
}
