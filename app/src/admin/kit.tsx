/** Parts that the views of administration are made of. */

import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { CombinedError } from 'urql';
import { Link } from 'wouter';
import { useAdminTexts } from '../texts/admin/index.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Button, Notice, ui } from '../ui/ui.tsx';
import css from './admin.module.css';

export function Choice<Value extends string>({ label, isHidden = false, value, options, onChange, isDisabled = false }: {
  label: string; isHidden?: boolean; value: Value; options: ReadonlyArray<readonly [Value, string]>;
  onChange: (value: Value) => void; isDisabled?: boolean;
}) {
  const select = (
    <select
      className={css.select}
      value={value}
      disabled={isDisabled}
      {...(isHidden ? { 'aria-label': label } : {})}
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
    </select>
  );
  return isHidden ? select : <label className={ui.field}><span className={ui.label}>{label}</span>{select}</label>;
}

export function Text({ label, value, onChange, hint, type = 'text', lines, required = false, autoFocus = false, placeholder }: {
  label: string; value: string; onChange: (value: string) => void; hint?: string;
  type?: 'text' | 'url' | 'email' | 'search' | 'date'; lines?: number; required?: boolean; autoFocus?: boolean; placeholder?: string;
}) {
  const about = useId();
  const common = {
    className: ui.input, value, required, autoFocus, dir: 'auto' as const, placeholder,
    ...(hint ? { 'aria-describedby': about } : {}),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <label className={ui.field}>
      <span className={ui.label}>{label}</span>
      {lines === undefined ? <input type={type} {...common} /> : <textarea rows={lines} {...common} />}
      {hint ? <span className={ui.hint} id={about}>{hint}</span> : null}
    </label>
  );
}

export function Tick({ label, checked, onChange, hint }: { label: string; checked: boolean; onChange: (checked: boolean) => void; hint?: string }) {
  return (
    <label className={css.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}{hint ? <><br /><span className={ui.hint}>{hint}</span></> : null}</span>
    </label>
  );
}

const SHOWN_MS = 2_500;

export function CopyButton({ text, what }: { text: string; what: string }) {
  const t = useTexts();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = window.setTimeout(() => setDone(false), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [done]);
  // Browsers give the clipboard to secure origins alone; elsewhere the text can be selected.
  if (!navigator.clipboard) return null;
  return (
    <>
      <Button aria-label={`${t.copy}: ${what}`} onPress={() => void navigator.clipboard.writeText(text).then(() => setDone(true), () => undefined)}>
        {done ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}<span>{done ? t.copied : t.copy}</span>
      </Button>
      <span className="hidden-text" role="status">{done ? t.copied : ''}</span>
    </>
  );
}

/** Something to take along: an address, or a secret that is shown this once. */
export function Secret({ text, what }: { text: string; what: string }) {
  return (
    <div className={css.secret}>
      <input readOnly dir="ltr" value={text} aria-label={what} onFocus={(event) => event.target.select()} />
      <CopyButton text={text} what={what} />
    </div>
  );
}

/** A button that asks before it does what cannot be taken back. */
export function Careful({ label, title, about, action, onDo, busy, error, look = 'plain' }: {
  label: ReactNode; title: string; about: string; action: string; onDo: () => Promise<unknown>; busy: boolean;
  error?: CombinedError | undefined; look?: 'plain' | 'normal';
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={look} onPress={() => setOpen(true)}>{label}</Button>
      <FormDialog
        title={title} action={action} isOpen={isOpen} onClose={() => setOpen(false)} busy={busy} error={error}
        onSend={async () => {
          if (await onDo()) setOpen(false);
        }}
      >
        <p>{about}</p>
      </FormDialog>
    </>
  );
}

/** What was shown before the answer was taken back: it says so, and why. */
export function TakenBack({ error }: { error: CombinedError | undefined }) {
  const a = useAdminTexts();
  if (error === undefined) return null;
  return <div className={css.form}><p className={ui.hint}>{a.takenBack}</p><FailureNotice error={error} /></div>;
}

export function Tabs({ label, tabs, current }: { label: string; tabs: ReadonlyArray<readonly [string, string, string]>; current: string }) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {tabs.map(([key, href, name]) => (
        <Link key={key} href={href} aria-current={key === current ? 'page' : undefined}>{name}</Link>
      ))}
    </nav>
  );
}

export function Progress({ done, total, label }: { done: number; total: number | null; label: string }) {
  if (total === null || total === 0) return null;
  const part = Math.min(100, Math.round((done / total) * 100));
  return (
    <div className={css.progress} role="progressbar" aria-label={label} aria-valuenow={part} aria-valuemin={0} aria-valuemax={100}>
      <span style={{ inlineSize: `${part}%` }} />
    </div>
  );
}

/** The first of some lines, and those behind them when somebody opens them. */
export function Lines<Line>({ of, few, children }: { of: readonly Line[]; few: number; children: (line: Line) => ReactNode }) {
  const t = useTexts();
  const rows = (lines: readonly Line[]): ReactNode => lines.map((line, index) => <div key={index}>{children(line)}</div>);
  return (
    <>
      {rows(of.slice(0, few))}
      {of.length > few ? <details><summary>{t.andMore(of.length - few)}</summary>{rows(of.slice(few))}</details> : null}
    </>
  );
}

/** What is typed, after a short rest. */
export function useRested(value: string, milliseconds = 250): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), milliseconds);
    return () => window.clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}

/** Of rows that were there before words were answered, those that have them: who types and chooses at once means one of these. */
export function fitting<Row extends { readonly name?: string; readonly title?: string; readonly about?: string | null }>(
  rows: readonly Row[], words: string, isAnswered: boolean,
): readonly Row[] {
  const all = isAnswered ? [] : words.toLocaleLowerCase().split(/\s+/u);
  return rows.filter(({ name, title, about }) => all.every((word) => `${name ?? title} ${about ?? ''}`.toLocaleLowerCase().includes(word)));
}

export const Said = ({ children }: { children: ReactNode }) => <Notice tone="good" role="status">{children}</Notice>;

export { css as admin };
