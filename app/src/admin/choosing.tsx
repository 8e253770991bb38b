/** A box in which something of many is sought by a word, and chosen. */

import { ChevronDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { CombinedError } from 'urql';
import {
  Button as AriaButton, ComboBox, type ComboBoxProps, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text,
} from 'react-aria-components';
import { useTexts } from '../texts/texts.tsx';
import { emptyOf, FailureNotice } from '../ui/failure.tsx';
import { ui } from '../ui/ui.tsx';
import css from './admin.module.css';

export interface Chosen {
  readonly id: string;
  readonly title: string;
  /** What tells it from others of its title. */
  readonly about?: string | null;
}

/** What a box offers, and what it says where that is nothing, not all, or could not be read. */
export interface Offer {
  readonly rows: readonly Chosen[];
  readonly isMore: boolean;
  readonly isAnswered: boolean;
  readonly error: CombinedError | undefined;
  readonly again: () => void;
  /** What its button does. */
  readonly show: string;
  readonly none: string;
}

type Box = Pick<ComboBoxProps<Chosen>, 'inputValue' | 'onInputChange' | 'isDisabled' | 'allowsCustomValue' | 'onFocus' | 'onOpenChange'>;

/** The box alone: what becomes of the words and of the choice is said by whoever uses it. */
export function Offering({ label, offer, placeholder, isNarrow = false, hint, fault, onChoose, children, ...box }: Box & {
  label: string; offer: Offer; placeholder?: string; isNarrow?: boolean; hint?: string | undefined; fault?: string | undefined;
  onChoose: (row: Chosen) => void;
  /** Failures of what is done with the choice. */
  children?: ReactNode;
}) {
  const t = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const { rows, isMore, isAnswered, error, again, show, none } = offer;
  return (
    <>
      <ComboBox
        {...box}
        className={isNarrow ? `${ui.field} ${css.picker}` : (ui.field ?? '')}
        menuTrigger="focus"
        isInvalid={fault !== undefined}
        defaultFilter={() => true}
        items={rows}
        onSelectionChange={(key) => {
          const row = rows.find((row) => row.id === key);
          if (row !== undefined) onChoose(row);
        }}
        allowsEmptyCollection
      >
        <Label className={ui.label ?? ''}>{label}</Label>
        <div className={css.combo}>
          <Input ref={field} className={ui.input ?? ''} dir="auto" {...(placeholder ? { placeholder } : {})} />
          <AriaButton className={css.opener ?? ''} aria-label={show}><ChevronDown size={16} aria-hidden /></AriaButton>
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
          {isMore ? <p role="status" className={ui.menuHeader}>{t.typeMore}</p> : null}
        </Popover>
      </ComboBox>
      {children}
      <FailureNotice error={error} again={again} back={field} />
    </>
  );
}

/** One of many: what was chosen stands in the box, and other words are no choice. */
export function Choosing({ words, onWords, chosen, onPick, ...offering }: {
  label: string; offer: Offer; hint?: string; fault?: string | undefined; words: string; onWords: (words: string) => void;
  chosen: Chosen | null; onPick: (row: Chosen | null) => void;
}) {
  return (
    <Offering
      {...offering}
      inputValue={words}
      onInputChange={(text) => {
        onWords(text);
        if (text !== chosen?.title) onPick(null);
      }}
      onChoose={(row) => {
        onWords(row.title);
        onPick(row);
      }}
      allowsCustomValue
    />
  );
}
