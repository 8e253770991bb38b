/** A box in which something of many is sought by a word, and chosen. */

import { useRef } from 'react';
import type { CombinedError } from 'urql';
import { Button as AriaButton, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { useTexts } from '../texts/texts.tsx';
import { emptyOf, FailureNotice } from '../ui/failure.tsx';
import { ui } from '../ui/ui.tsx';
import css from './admin.module.css';

export interface Chosen {
  readonly id: string;
  readonly title: string;
  /** What tells it from others of its title. */
  readonly about?: string;
}

/** That a list of what fits is not all of it, and what to do then. */
export function TypeMore({ isMore }: { isMore: boolean }) {
  const t = useTexts();
  return isMore ? <p role="status" className={ui.menuHeader}>{t.typeMore}</p> : null;
}

export function Choosing({ label, hint, rows, words, onWords, chosen, onPick, show, none, fault, isMore, error, again, isAnswered }: {
  label: string; hint?: string; rows: readonly Chosen[]; words: string; onWords: (words: string) => void; chosen: Chosen | null;
  onPick: (row: Chosen | null) => void; show: string; none: string; fault?: string | undefined; isMore: boolean; error: CombinedError | undefined;
  again: () => void; isAnswered: boolean;
}) {
  const t = useTexts();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <ComboBox
        className={ui.field ?? ''}
        menuTrigger="focus"
        isInvalid={fault !== undefined}
        defaultFilter={() => true}
        items={rows}
        inputValue={words}
        onInputChange={(text) => {
          onWords(text);
          if (text !== chosen?.title) onPick(null);
        }}
        onSelectionChange={(key) => {
          const row = rows.find((row) => row.id === key);
          if (row === undefined) return;
          onWords(row.title);
          onPick(row);
        }}
        allowsEmptyCollection
        allowsCustomValue
      >
        <Label className={ui.label ?? ''}>{label}</Label>
        <div style={{ display: 'flex', gap: '0.3rem' }}>
          <Input ref={field} className={ui.input ?? ''} dir="auto" style={{ flex: 1 }} />
          <AriaButton className={`${ui.button} ${ui.icon}`} aria-label={show}>▾</AriaButton>
        </div>
        {fault === undefined ? null : <FieldError className={css.fault ?? ''}><span role="alert">{fault}</span></FieldError>}
        {hint ? <Text slot="description" className={ui.hint ?? ''}>{hint}</Text> : null}
        <Popover className={ui.popover ?? ''}>
          <ListBox className={ui.menu ?? ''} renderEmptyState={() => <p className={ui.menuHeader}>{emptyOf(t, error, isAnswered, none)}</p>}>
            {(row: Chosen) => (
              <ListBoxItem id={row.id} textValue={row.title} className={ui.menuItem ?? ''}>
                <bdi>{row.title}</bdi>{row.about ? <> <bdi className={ui.hint}>{row.about}</bdi></> : null}
              </ListBoxItem>
            )}
          </ListBox>
          <TypeMore isMore={isMore} />
        </Popover>
      </ComboBox>
      <FailureNotice error={error} again={again} back={field} />
    </>
  );
}
