/** What a page only points to: files, pages, addresses of others. */

import { ExternalLink, FileText, Paperclip } from 'lucide-react';
import { useLanguage } from '../../texts/texts.tsx';
import css from '../document.module.css';
import { To } from '../inlines.tsx';
import type { ContentReference } from '../model.ts';
import { useReader } from '../references.tsx';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function sizeInWords(bytes: number, language: string): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const style = { style: 'unit', unit: UNITS[power] ?? 'byte', unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, style).format(bytes / 1000 ** power);
}

export function FileTile({ reference }: { reference: ContentReference }) {
  const { code, texts: t } = useLanguage();
  const target = useReader().resolve(reference);
  return (
    <To target={target} className={css.tile}>
      <Paperclip size={18} aria-hidden />
      <span>
        <strong><bdi>{target.title || t.file}</bdi></strong>
        {target.file ? <small>{target.file.contentType} · {sizeInWords(target.file.size, code)}</small> : null}
      </span>
    </To>
  );
}

export function ReferenceTile({ reference }: { reference: ContentReference }) {
  const { texts: t } = useLanguage();
  const target = useReader().resolve(reference);
  return (
    <To target={target} className={css.tile}>
      {target.emoji ? <span aria-hidden="true">{target.emoji}</span> : <FileText size={18} aria-hidden />}
      <span><strong><bdi>{target.title || t.page}</bdi></strong></span>
    </To>
  );
}

/** What stands at another server is not loaded: it is a link. */
export function EmbedTile({ url }: { url: string }) {
  const target = useReader().resolve({ kind: 'url', url });
  let host = url;
  try {
    host = new URL(url).host || url;
  } catch {
    // Not an address: it is shown as it was written.
  }
  return (
    <To target={target} className={css.tile}>
      <ExternalLink size={18} aria-hidden />
      <span><strong>{host}</strong><small>{url}</small></span>
    </To>
  );
}
