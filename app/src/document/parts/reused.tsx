/** Reusable content in a page: the content itself, as it is where it belongs. */

import { useEffect, useState, useMemo } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import { useRead } from '../../graph/reading.tsx';
import { versionArguments, PRIMARY } from '../../place.ts';
import { useTexts } from '../../texts/texts.tsx';
import { styleOf } from '../alerts.ts';
import { DocumentBlocks } from '../blocks.tsx';
import css from '../document.module.css';
import type { Block, ContentReference } from '../model.ts';
import { type Reader, ReaderContext, useReader } from '../references.tsx';
import { mayStandIn } from '../text.ts';

const REUSED = graphql(`
  query ReusedContent($space: ID!, $content: ID!, $changeRequestId: ID, $revisionId: ID) {
    reusableContentDocument(spaceId: $space, reusableContentId: $content, changeRequestId: $changeRequestId, revisionId: $revisionId, evaluated: VALUES_ONLY) {
      data
      nodes
    }
  }
`);

/** Whether this one is among those that a page shows at most: few that hold many each are very many. */
function useInsertion(insertions: { left: number }): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (insertions.left <= 0) return;
    insertions.left -= 1;
    setShown(true);
    return () => {
      insertions.left += 1;
    };
  }, [insertions]);
  return isShown;
}

export function Reused({ reference }: { reference: ContentReference }) {
  const t = useTexts();
  const reader = useReader();
  const target = reader.resolve(reference);
  const isNamed = reference.kind === 'reusable-content' && !target.broken;
  const home = isNamed ? (reference.space ?? reader.space) : reader.space;
  const name = isNamed ? `${home} ${reference.reusableContent}` : '';
  const is = useInsertion(reader.insertions) && isNamed && mayStandIn(name, reader.inside);
  // That of another space is what its readers have.
  const of = home === reader.space ? reader.version : PRIMARY;
  const result = useRead(REUSED, { space: home, content: isNamed ? reference.reusableContent : '', ...versionArguments(of) }, !is);
  const reused = result.data?.reusableContentDocument;
  const nodes = reused?.nodes as Block[] | undefined;
  const style = useMemo(() => styleOf(reused), [reused]);
  const within = useMemo<Reader>(
    () => ({ ...reader, space: home, version: of, inside: [...reader.inside, name] }),
    [reader, home, of, name],
  );
  // One that holds itself ends here, as on a site.
  if (isNamed && !is) return null;
  if (!is || (result.error && !nodes)) return <p className={css.broken}>{t.missingReusable}</p>;
  if (nodes === undefined) return null;
  return (
    <ReaderContext.Provider value={within}>
      <div className={css.body}><DocumentBlocks nodes={nodes} style={style} /></div>
    </ReaderContext.Provider>
  );
}
