/** A small form of the editor: what a block has beside its text. */

import { useEffect, useRef, useState } from 'react';
import type { Data } from '../document/json.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button, Dialog, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import { type Field, KINDS } from './kinds.ts';

const valueOf = (field: Field, text: string): unknown => {
  if (field.as === 'words') {
    const words = [...new Set(text.split(',').map((word) => word.trim()).filter(Boolean))];
    return words.length > 0 ? words : undefined;
  }
  if (text === '') return undefined;
  if (field.as === 'flag') return text === 'true';
  if (field.as !== 'number') return text;
  return /^\d{1,6}$/u.test(text) ? Number(text) : undefined;
};

/** A length with a unit is shown by nobody's number, and stays. */
const isShown = (field: Field, data: Data): boolean =>
  field.as !== 'number' || data[field.name] === undefined || typeof data[field.name] === 'number';

const textOf = (field: Field, value: unknown): string =>
  value === undefined ? '' : field.as === 'words' && Array.isArray(value) ? value.join(', ') : String(value);
/** A date that is no day of the calendar is a text. */
const typeOfInput = (field: Field, value: unknown): string => (field.as === 'date' && (value === undefined || ISO_DATE.test(String(value))) ? 'date' : 'text');
const ISO_DATE = /^\d{4}-\d\d-\d\d$/u;

/** What else can be done with the block: `change` is another file or content in its place. */
export interface BlockActions {
  readonly onDelete: () => void;
  readonly onAdd: (() => void) | null;
  readonly onChange: (() => void) | null;
}

export function BlockForm({ type, data, isNew, actions, check, onApply, onClose }: {
  type: string; data: Data; isNew: boolean; actions: BlockActions; check: (expression: string) => Promise<string | null>;
  onApply: (data: Data) => void; onClose: () => void;
}) {
  const t = useTexts().editor;
  const [problem, setProblem] = useState<string | null>(null);
  const fields = (KINDS[type]?.fields ?? []).filter((field) => isShown(field, data));
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, textOf(field, data[field.name])])));
  const set = (name: string, value: string): void => {
    setProblem(null);
    setValues((before) => ({ ...before, [name]: value }));
  };
  const label = t.kinds[type as keyof typeof t.kinds] ?? type;
  const isChecking = useRef(false);
  const isOpen = useRef(true);
  useEffect(() => () => void (isOpen.current = false), []);
  const isMissing = fields.some((field) => field.isNeeded && !values[field.name]);
  return (
    <Dialog title={label} isOpen onClose={onClose}>
      <form
        className={css.form}
        onSubmit={async (event) => {
          event.preventDefault();
          if (isMissing || isChecking.current) return;
          const expression = fields.find((field) => field.isExpression);
          isChecking.current = true;
          const said = expression ? await check(values[expression.name] ?? '') : null;
          isChecking.current = false;
          // It may have been closed meanwhile: then nothing is wanted of it.
          if (!isOpen.current) return;
          setProblem(said);
          if (said === null) onApply(Object.fromEntries(fields.map((field) => [field.name, valueOf(field, values[field.name] ?? '')])));
        }}
      >
        {fields.map((field, index) => {
          const value = values[field.name] ?? '';
          const common = { id: `field-${field.name}`, autoFocus: index === 0, className: ui.input };
          const name = t.fields[field.name as keyof typeof t.fields] ?? field.name;
          return (
            <label key={field.name} className={ui.field}>
              <span className={ui.label}>{name}</span>
              {field.as === 'flag' ? (
                <input type="checkbox" className={css.flag} checked={value === 'true'} onChange={(event) => set(field.name, event.target.checked ? 'true' : data[field.name] === false ? 'false' : '')} />
              ) : field.as === 'text' ? (
                <textarea {...common} value={value} spellCheck={false} onChange={(event) => set(field.name, event.target.value)} />
              ) : typeof field.as === 'object' ? (
                <select {...common} value={value} onChange={(event) => set(field.name, event.target.value)}>
                  {field.as.of.map((choice) => <option key={choice} value={choice}>{choice || t.usual}</option>)}
                </select>
              ) : (
                <input
                  {...common}
                  type={typeOfInput(field, data[field.name])}
                  value={value}
                  dir="auto"
                  inputMode={field.as === 'number' ? 'numeric' : undefined}
                  aria-describedby={field.isExpression ? 'expression-help' : undefined}
                  aria-invalid={field.isExpression ? problem !== null : undefined}
                  spellCheck={field.isExpression ? false : undefined}
                  onChange={(event) => set(field.name, event.target.value)}
                />
              )}
              {field.as === 'words' ? <span className={ui.hint}>{t.wordsHelp}</span> : null}
              {field.isExpression ? (
                <span id="expression-help" className={ui.hint}>
                  {t.expressionHelp} <code>visitor.claims.plan == "pro"</code>
                  {problem ? <strong role="alert" className={css.problem}>{problem}</strong> : null}
                </span>
              ) : null}
            </label>
          );
        })}
        <div className={ui.actions}>
          {isNew ? null : <Button onPress={actions.onDelete}>{t.deleteBlock}</Button>}
          {actions.onAdd ? <Button onPress={actions.onAdd}>{type === 'update' ? t.updateBefore : t.partAfter}</Button> : null}
          {actions.onChange ? <Button onPress={actions.onChange}>{t.others[type as keyof typeof t.others] ?? t.otherFile}</Button> : null}
          {fields.length > 0 ? <Button look="primary" type="submit" isDisabled={isMissing}>{t.apply}</Button> : null}
        </div>
      </form>
    </Dialog>
  );
}
