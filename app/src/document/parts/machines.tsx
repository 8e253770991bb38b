/** Blocks about interfaces and of integrations: what they name; a site shows what is behind it. */

import { Blocks as BlocksIcon, Braces } from 'lucide-react';
import { useTexts } from '../../texts/texts.tsx';
import css from '../document.module.css';
import type { ContentReference, Integration } from '../model.ts';
import { useReader } from '../references.tsx';

export function Operation({ reference, path, method }: {
  reference: ContentReference; path?: string | undefined; method?: string | undefined;
}) {
  const t = useTexts();
  const target = useReader().resolve(reference);
  return (
    <div className={css.tile}>
      {method ? <span className={css.method}>{method.toUpperCase()}</span> : <Braces size={18} aria-hidden />}
      <span>
        <strong><code>{path ?? t.specification}</code></strong>
        <small><bdi>{target.title || t.brokenLink}</bdi></small>
      </span>
    </div>
  );
}

export function Schemas({ reference, schemas }: { reference: ContentReference; schemas: readonly string[] }) {
  const t = useTexts();
  const target = useReader().resolve(reference);
  return (
    <div className={css.tile}>
      <Braces size={18} aria-hidden />
      <span>
        <strong>{schemas.length > 0 ? schemas.join(', ') : t.allSchemas}</strong>
        <small><bdi>{target.title || t.brokenLink}</bdi></small>
      </span>
    </div>
  );
}

export function IntegrationBlock({ node }: { node: Integration }) {
  const t = useTexts();
  const content = node.data.props['content'];
  return (
    <div className={css.unknown}>
      <span><BlocksIcon size={14} aria-hidden /> {t.blockOf(node.data.integration, node.data.block)}</span>
      {typeof content === 'string' || node.data.url ? <pre tabIndex={0}>{typeof content === 'string' ? content : node.data.url}</pre> : null}
    </div>
  );
}
