/** Words of a text, with those that came and those that went. */

import type { Word } from './words-between.ts';
import css from './review.module.css';

type Props = { words: readonly Word[]; without?: Word['kind'] | undefined };

export const InLine = ({ words, without }: Props) => (
  <>
    {words.filter((word) => word.kind !== without).map((word, index) =>
      word.kind === 'added' ? <ins key={index}>{word.text}</ins>
      : word.kind === 'removed' ? <del key={index}>{word.text}</del>
      : <span key={index}>{word.text}</span>)}
  </>
);

export const Words = (props: Props) => <p className={css.words} dir="auto"><InLine {...props} /></p>;
