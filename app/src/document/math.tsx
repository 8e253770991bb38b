/** Formulas as MathML; what writes them is loaded with the first one. */

import { useEffect, useRef, useState } from 'react';
import css from './document.module.css';

export function Formula({ source, display }: { source: string; display: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    let current = true;
    import('temml').then(({ default: temml }) => {
      if (!current || place.current === null) return;
      try {
        temml.render(source, place.current, { displayMode: display, throwOnError: true, trust: false, maxSize: [40, 480] });
        setDrawn(true);
      } catch {
        // The text of a formula that cannot be read stays as it is.
        setDrawn(false);
      }
    }, () => undefined);
    return () => {
      current = false;
    };
  }, [source, display]);
  return (
    <>
      <span ref={place} hidden={!drawn} />
      {drawn ? null : <code className={css.mathText}>{source}</code>}
    </>
  );
}
