import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { useRead } from '../graph/reading.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Button } from '../ui/ui.tsx';
import { keyOfPlace, PlaceOfLink } from './locations.tsx';
import css from './space.module.css';

const BACKLINKS = graphql(`
  query Backlinks($space: ID!, $page: ID!, $first: Int!) {
    page(spaceId: $space, id: $page) {
      id
      backlinks(first: $first) { nodes { ...PlaceOfLink } pageInfo { hasNextPage } }
    }
  }
`);

const PORTION = 10;

/** Who links to a page. */
export function Backlinks({ space, page }: { space: string; page: string }) {
  const t = useTexts();
  const [first, more] = useMore(PORTION);
  const result = useRead(BACKLINKS, { space, page, first });
  const list = result.data?.page?.backlinks;
  if (list === undefined) return null;
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
      {list.pageInfo.hasNextPage && more ? <Button look="plain" onPress={more}>{t.showMore}</Button> : null}
    </section>
  );
}
