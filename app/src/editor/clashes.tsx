/** What two people have changed at once: both sides, and which of them holds. */

import { styleOf } from '../document/alerts.ts';
import { DocumentBody } from '../document/blocks.tsx';
import { type Data, type Json, same } from '../document/json.ts';
import type { Block } from '../document/model.ts';
import { insertionsOfPage, nowhere, ReaderContext } from '../document/references.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Button, Notice, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import type { Session, Shown } from './session.ts';

export function Clashes({ session, shown }: { session: Session; shown: Shown }) {
  const t = useTexts().editor;
  return (
    <>
      {shown.otherTitle === null ? null : (
        <Notice tone="warn" role="status">
          <strong>{t.clashTitle}</strong>
          <dl className={css.sides}>
            <div><dt>{t.mine}</dt><dd><bdi>{shown.title}</bdi></dd></div>
            <div><dt>{t.theirs}</dt><dd><bdi>{shown.otherTitle}</bdi></dd></div>
          </dl>
          <div className={ui.actions}>
            <Button onPress={() => session.saving.chooseTitle(true)}>{t.takeTheirs}</Button>
            <Button look="primary" onPress={() => session.saving.chooseTitle(false)}>{t.keepMine}</Button>
          </div>
        </Notice>
      )}
      {shown.clashes.map((clash) => {
        const { both, mine, theirs } = clash;
        const style = styleOf(shown.state.doc.attrs['json'] as Json | null);
        const hasBoth = mine !== null && theirs !== null && !same(both, mine) && !same(both, theirs);
        return (
          <Notice key={clash.key} tone="warn" role="status">
            <strong>{clash.isTwice ? t.clashTwice : mine === null ? t.clashBack : theirs === null ? t.clashGone : hasBoth ? t.clashBoth : t.clash}</strong>
            {mine === null || theirs === null ? null : (
              <dl className={css.sides}>
                <div><dt>{t.mine}</dt><dd><Side block={mine} style={style} /></dd></div>
                <div><dt>{t.theirs}</dt><dd><Side block={theirs} style={style} /></dd></div>
              </dl>
            )}
            <div className={ui.actions}>
              <Button onPress={() => session.settle(clash.key, 'theirs')}>{mine === null ? t.keepTheirs : theirs === null ? t.takeGone : t.takeTheirs}</Button>
              <Button look={hasBoth ? 'normal' : 'primary'} onPress={() => session.settle(clash.key, 'mine')}>{mine === null ? t.takeGone : t.keepMine}</Button>
              {hasBoth ? <Button look="primary" onPress={() => session.settle(clash.key, 'both')}>{t.keepBoth}</Button> : null}
            </div>
          </Notice>
        );
      })}
    </>
  );
}

const Side = ({ block, style }: { block: Json; style: Data }) => (
  <ReaderContext.Provider value={{ ...nowhere, insertions: insertionsOfPage() }}><DocumentBody nodes={[block as unknown as Block]} style={style} /></ReaderContext.Provider>
);
