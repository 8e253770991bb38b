import { useTexts } from '../../texts/texts.tsx';
import css from '../document.module.css';
import { type AnyNode, textOf } from '../text.ts';

/** A block of a type that is not known here, and Markdown that has no other form: as it is. */
export function Unknown({ node }: { node: unknown }) {
  const t = useTexts();
  const any = node as AnyNode;
  const text = textOf(any);
  return (
    <div className={css.unknown}>
      <span>{any.type === 'markdown' ? 'Markdown' : t.unknownBlock(any.type ?? '')}</span>
      <pre tabIndex={0}>{text || JSON.stringify(any.data ?? {}, null, 2)}</pre>
    </div>
  );
}
