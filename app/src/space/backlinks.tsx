import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { Unread, useRead } from '../graph/reading.tsx';
import { useTexts } from '../texts/texts.tsx';
import { More } from '../ui/ui.tsx';
import { keyOfPlace, PlaceOfLink } from './locations.tsx';
import css from './space.module.css';

const BACKLINKS = graphql(`
  query Backlinks($space: ID!, $page: ID!, $first: Int!, $after: String) {
    page(spaceId: $space, id: $page) {
      id
      backlinks(first: $first, after: $after) { nodes { ...PlaceOfLink } pageInfo { hasNextPage endCursor } }
    }
  }
`);

const PORTION = 10;

/** Who links to a page. */
export function Backlinks({ space, page }: { space: string; page: string }) {
  const t = useTexts();
  const shown = useMore(PORTION);
  const result = useRead(BACKLINKS, { space, page, first: shown.first, after: shown.after });
  const list = result.data?.page?.backlinks;
  if (list === undefined) return <Unread {...result} />;
  return (
    <section>
      <h2>{t.backlinks}</h2>
      {list.nodes.length === 0 ? <p>{t.noBacklinks}</p> : (
        <ul className={css.list}>
          {list.nodes.map((place, index) => (
            <li key={keyOfPlace(place, index)}><PlaceOfLink place={place} home={space} /></li>
          ))}
        </ul>
      )}
      <More list={shown} info={list.pageInfo} what={t.backlinks} />
    </section>
  );
}
