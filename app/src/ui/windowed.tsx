/** What is far from the screen is not drawn: its room stays, with its words for the search of the browser. */

import { createElement, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

export type Kind = 'div' | 'ul' | 'ol' | 'tbody';

/** As much above and below the screen is drawn, in heights of it. */
const NEAR = '200% 0px';
const listeners = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | null = null;

function watch(element: Element, onNear: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
  }, { rootMargin: NEAR });
  const own = observer;
  listeners.set(element, onNear);
  own.observe(element);
  return () => {
    own.unobserve(element);
    listeners.delete(element);
  };
}

/** Whoever has the focus, has selected something or has typed something in it finds it as it was. */
const isInUse = (element: Element): boolean =>
  element.contains(document.activeElement)
  || (getSelection()?.isCollapsed === false && getSelection()?.containsNode(element, true) === true)
  || [...element.querySelectorAll('textarea')].some((area) => area.value !== '');

/** In what something stands that is no row; `columns` are those of a table. */
export function framed(kind: Kind, child: ReactNode, columns = 1): ReactNode {
  if (kind === 'tbody') return <tr><td colSpan={columns} style={{ padding: 0, border: 0 }}>{child}</td></tr>;
  return kind === 'div' ? child : <li style={{ border: 0 }}>{child}</li>;
}

interface Left {
  readonly height: number;
  readonly words: string;
}

export function Windowed({ kind, columns, className, children }: { kind: Kind; columns?: number | undefined; className?: string | undefined; children: ReactNode }) {
  const place = useRef<HTMLElement>(null);
  const isFar = useRef(false);
  const [left, setLeft] = useState<Left | null>(null);
  const look = useCallback((): void => {
    const element = place.current;
    if (element === null) return;
    const height = element.getBoundingClientRect().height;
    if (!isFar.current) setLeft(null);
    else if (height > 0 && !isInUse(element)) setLeft((before) => before ?? { height, words: element.textContent ?? '' });
  }, []);
  useEffect(() => place.current === null ? undefined : watch(place.current, (isNear) => {
    isFar.current = !isNear;
    look();
  }), [look]);
  // Browsers look for words in it, and show it when they have found some: it is on the screen then, and drawn.
  const words = left === null ? null : <div ref={(element) => element?.setAttribute('hidden', 'until-found')}>{left.words}</div>;
  const room = left === null ? null : { blockSize: left.height, overflow: 'hidden' };
  return createElement(
    kind,
    { ref: place, className, onBlur: () => window.setTimeout(look), ...(room === null ? {} : { 'aria-hidden': true, style: kind === 'tbody' ? {} : room }) },
    room === null ? children : framed(kind, kind === 'tbody' ? <div style={room}>{words}</div> : words, columns),
  );
}
