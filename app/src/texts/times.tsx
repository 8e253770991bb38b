/** Points in time as people say them. */

import { useLanguage } from './texts.tsx';

const STEPS: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago something was, in the largest unit of which there is at least one. */
export function relative(iso: string, now: number, language: string): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(0, 'minute');
}

export function Ago({ at }: { at: string }) {
  const { code } = useLanguage();
  const whole = new Intl.DateTimeFormat(code, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <time dateTime={at} title={whole.format(new Date(at))}>
      {relative(at, Date.now(), code)}
    </time>
  );
}
