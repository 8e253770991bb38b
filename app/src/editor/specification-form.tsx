/** Choosing a specification of the organization, of which a block shows something. */

import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Button, Dialog, Empty, More } from '../ui/ui.tsx';
import css from './editor.module.css';
import type { LinkTarget } from './link-targets.tsx';

const SPECIFICATIONS = graphql(`
  query SpecificationsToShow($organization: ID!, $first: Int!, $after: String) {
    organization(id: $organization) { id specifications(first: $first, after: $after) { nodes { id slug lastVersion { id title } } pageInfo { hasNextPage endCursor } } }
  }
`);

export function SpecificationForm({ type, organization, onChoose, onClose }: {
  type: string; organization: string; onChoose: (target: LinkTarget) => void; onClose: () => void;
}) {
  const texts = useTexts();
  const t = texts.editor;
  const list = useMore();
  const result = useRead(SPECIFICATIONS, { organization, first: list.first, after: list.after });
  return (
    <Dialog title={t.kinds[type as keyof typeof t.kinds] ?? type} isOpen onClose={onClose}>
      <Reading result={result} pick={(data) => data.organization?.specifications}>
        {({ nodes, pageInfo }) => (
          <div className={css.form}>
            {nodes.length === 0 ? <Empty>{t.noSpecifications}</Empty> : null}
            <ul className={css.pages} aria-label={texts.results}>
              {nodes.map(({ id, slug, lastVersion }) => (
                <li key={id}>
                  <Button look="plain" onPress={() => onChoose({ reference: { kind: 'openapi', spec: slug }, title: lastVersion?.title ?? slug })}>
                    <bdi>{lastVersion?.title || slug}</bdi> <small><bdi>{slug}</bdi></small>
                  </Button>
                </li>
              ))}
            </ul>
            <More list={list} info={pageInfo} />
          </div>
        )}
      </Reading>
    </Dialog>
  );
}
