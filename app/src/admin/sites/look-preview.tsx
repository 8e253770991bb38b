/** The site with settings that are not saved, in a frame: its real pages, which follow each change. */

import { useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from 'urql';
import type { CombinedError } from 'urql';
import { graphql } from '../../graph/generated/index.ts';
import type { SiteCustomizationSettingsInput } from '../../graph/generated/graphql.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FailureNotice } from '../../ui/failure.tsx';
import { Button, looks, ui } from '../../ui/ui.tsx';
import { admin, Choice, useRested } from '../kit.tsx';

const PREVIEW = graphql(`
  query PreviewOfLook($site: ID!, $input: SiteCustomizationSettingsInput!) { siteCustomizationPreview(siteId: $site, input: $input) { url } }
`);

type Side = 'LIGHT' | 'DARK';
type Width = 'screen' | 'phone';
/** Behind the last change of a colour that is dragged. */
const REST_MS = 120;

interface Frame {
  readonly key: number;
  /** Where the preview begins, and the page of it. */
  readonly root: string;
  readonly address: string;
}

/** The page that a frame shows, below the address where its preview begins; it runs no scripts, so it may be looked into. */
function pageIn(frame: HTMLIFrameElement | null, root: string): { rest: string; top: number } {
  try {
    const { location, scrollY } = frame?.contentWindow ?? {};
    const path = location?.pathname ?? '';
    return { rest: path.startsWith(root) ? path.slice(root.length) : '', top: scrollY ?? 0 };
  } catch {
    // It has gone to another server, and shows that it may not.
    return { rest: '', top: 0 };
  }
}

export function LookPreview({ site, look }: { site: string; look: SiteCustomizationSettingsInput }) {
  const a = useAdminTexts();
  const client = useClient();
  const [side, setSide] = useState<Side>(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'DARK' : 'LIGHT'));
  const [width, setWidth] = useState<Width>('screen');
  const [shown, setShown] = useState<Frame | null>(null);
  const [coming, setComing] = useState<Frame | null>(null);
  const [error, setError] = useState<CombinedError | undefined>();
  const [tries, setTries] = useState(0);
  const frame = useRef<HTMLIFrameElement>(null);
  const now = useRef<Frame | null>(null);
  now.current = shown;
  const lastKey = useRef(0);
  // The frame runs no script that would ask the reader's system, so the preview says which side it is.
  const written = useMemo(() => JSON.stringify({ ...look, themes: { ...look.themes, default: side, toggeable: false } }), [look, side]);
  const rested = useRested(written, REST_MS);
  useEffect(() => {
    let isOld = false;
    const variables = { site, input: JSON.parse(rested) as SiteCustomizationSettingsInput };
    void client.query(PREVIEW, variables, { requestPolicy: 'network-only' }).toPromise().then(({ data, error: refused }) => {
      if (isOld) return;
      setError(refused);
      if (!data?.siteCustomizationPreview) return;
      // The path alone: the server may be reached by another name than it has for itself.
      const root = new URL(data.siteCustomizationPreview.url).pathname;
      if (root === now.current?.root) return setComing(null);
      const { rest } = pageIn(frame.current, now.current?.root ?? '');
      setComing({ key: ++lastKey.current, root, address: root + rest });
    });
    return () => void (isOld = true);
  }, [client, site, rested, tries]);

  /** What is there stays until the next one is: nothing flickers while a colour is dragged. */
  const arrived = (loaded: HTMLIFrameElement): void => {
    if (coming === null) return;
    const { top } = pageIn(frame.current, shown?.root ?? '');
    loaded.contentWindow?.scrollTo(0, top);
    setShown(coming);
    setComing(null);
  };
  const frames = [shown, coming].filter((drawn) => drawn !== null);
  return (
    <section className={admin.preview} aria-label={a.look.preview} aria-busy={coming !== null}>
      <div className={admin.line}>
        <Choice label={a.look.side} isHidden value={side} options={[['LIGHT', a.look.sides.LIGHT ?? ''], ['DARK', a.look.sides.DARK ?? '']]} onChange={setSide} />
        <Choice label={a.look.width} isHidden value={width} options={[['screen', a.look.widths.screen ?? ''], ['phone', a.look.widths.phone ?? '']]} onChange={setWidth} />
        <Button onPress={() => shown && setComing({ key: ++lastKey.current, root: shown.root, address: shown.root })}>{a.look.toFirst}</Button>
        {shown ? <a className={looks('normal')} href={shown.address} target="_blank" rel="noreferrer">{a.look.openTab}</a> : null}
      </div>
      <FailureNotice error={error} again={() => setTries(tries + 1)} />
      <div className={admin.frames} data-width={width}>
        {frames.map((drawn) => (
          <iframe
            key={drawn.key}
            ref={drawn === shown ? frame : null}
            src={drawn.address}
            title={a.look.preview}
            // No scripts: not even those of the site, so this page may look which one is read.
            sandbox="allow-same-origin"
            aria-hidden={drawn !== shown || undefined}
            tabIndex={drawn === shown ? undefined : -1}
            data-coming={drawn !== shown || undefined}
            onLoad={(event) => drawn === coming && arrived(event.currentTarget)}
          />
        ))}
      </div>
      <p className={ui.hint}>{a.look.previewAbout}</p>
    </section>
  );
}
