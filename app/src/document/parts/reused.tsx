/** Reusable content in a page: the content itself, as it is where it belongs. */

import { graphql } from '../../graph/generated/index.ts';
import { useRead } from '../../graph/reading.tsx';
import { versionArguments, PRIMARY } from '../../place.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Blocks } from '../blocks.tsx';
import css from '../document.module.css';
import type { Block, ContentReference } from '../model.ts';
import { useReader } from '../references.tsx';

const REUSED = graphql(`
  query ReusedContent($space: ID!, $content: ID!, $changeRequestId: ID, $revisionId: ID) {
    reusableContentDocument(spaceId: $space, reusableContentId: $content, changeRequestId: $changeRequestId, revisionId: $revisionId) {
      nodes
    }
  }
`);

export function Reused({ reference }: { reference: ContentReference }) {
  const t = useTexts();
  const reader = useReader();
  const target = reader.resolve(reference);
  const is = reference.kind === 'reusable-content' && !target.broken;
  const home = is ? (reference.space ?? reader.space) : reader.space;
  // That of another space is what its readers have.
  const version = versionArguments(home === reader.space ? reader.version : PRIMARY);
  const result = useRead(REUSED, { space: home, content: is ? reference.reusableContent : '', ...version }, !is);
  const nodes = result.data?.reusableContentDocument?.nodes as Block[] | undefined;
  if (!is || (result.error && !nodes)) return <p className={css.broken}>{t.missingReusable}</p>;
  if (nodes === undefined) return null;
  return <div className={css.body}><Blocks nodes={nodes} /></div>;
}
