/** What readers did: a chart, and a table of the same numbers. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { InsightsColumn, InsightsRangePreset } from '../../graph/generated/graphql.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useLanguage } from '../../texts/texts.tsx';
import { Empty, ui } from '../../ui/ui.tsx';
import { admin, Choice } from '../kit.tsx';
import type { PartOfSite } from './site.tsx';

const INSIGHTS = graphql(`
  query SiteInsightsByDay($id: ID!, $days: InsightsQueryInput!, $pages: InsightsQueryInput!) {
    site(id: $id) {
      id
      days: insights(input: $days) { columns { column values } }
      pages: insights(input: $pages) { columns { column values } }
    }
  }
`);

const RANGES: ReadonlyArray<readonly [InsightsRangePreset, number]> = [['LAST_7_DAYS', 7], ['LAST_30_DAYS', 30], ['LAST_3_MONTHS', 90], ['LAST_YEAR', 365]];
const COUNTS: readonly InsightsColumn[] = ['VISITORS_COUNT', 'SESSIONS_COUNT', 'EVENTS_COUNT'];
const DAY_MS = 86_400_000;

interface Day {
  readonly day: string;
  readonly count: number;
}

/** Every day of the range, also those without events. */
function daysOf(length: number, values: ReadonlyMap<string, number>): Day[] {
  return Array.from({ length }, (_, index) => {
    const day = new Date(Date.now() - (length - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, count: values.get(day) ?? 0 };
  });
}

/** Bars of HTML: their words have the size of all others, on a phone too. All numbers stand in the table below it. */
function Chart({ days, label, written }: { days: readonly Day[]; label: string; written: Intl.DateTimeFormat }) {
  const most = Math.max(1, ...days.map((day) => day.count));
  const ends = [days[0], days[Math.floor(days.length / 2)], days.at(-1)].filter((day) => day !== undefined);
  const inWords = ({ day }: Day): string => written.format(new Date(day));
  return (
    <div className={admin.chart} role="img" aria-label={label}>
      <div>{most}</div>
      <div className={admin.bars} data-dense={days.length > 60 || undefined}>
        {days.map((day) => (
          <span key={day.day} title={`${inWords(day)}: ${day.count}`}>
            {day.count > 0 ? <span style={{ blockSize: `${(day.count / most) * 100}%` }} /> : null}
          </span>
        ))}
      </div>
      <div className={admin.ends}>{ends.map((end) => <span key={end.day}>{inWords(end)}</span>)}</div>
    </div>
  );
}

type Columns = ReadonlyArray<{ readonly column: InsightsColumn; readonly values: readonly unknown[] }>;
const valuesOf = (columns: Columns, name: InsightsColumn): readonly unknown[] => columns.find((column) => column.column === name)?.values ?? [];

export default function Insights({ site }: PartOfSite) {
  const a = useAdminTexts();
  const { code } = useLanguage();
  const [range, setRange] = useState<InsightsRangePreset>('LAST_30_DAYS');
  const [column, setColumn] = useState<InsightsColumn>('VISITORS_COUNT');
  const result = useRead(INSIGHTS, {
    id: site.id,
    days: { range: { preset: range }, select: [{ column: 'DATETIME', interval: 'DAY' }, ...COUNTS.map((count) => ({ column: count }))] },
    pages: { range: { preset: range }, select: [{ column: 'URL' }, { column: 'EVENTS_COUNT' }], order: { by: { column: 'EVENTS_COUNT' }, direction: 'DESC' }, limit: 10 },
  });
  const written = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <div className={admin.form}>
      <p className={ui.hint}>{a.insights.about}</p>
      <div className={admin.toolbar}>
        <Choice label={a.insights.range} value={range} onChange={setRange} options={RANGES.map(([insightsRangePreset]) => [insightsRangePreset, a.insights.ranges[insightsRangePreset] ?? insightsRangePreset] as const)} />
        <Choice label={a.insights.count} value={column} onChange={setColumn} options={COUNTS.map((count) => [count, a.insights.counts[count] ?? count] as const)} />
      </div>
      <Reading result={result} pick={(data) => data.site}>
        {({ days: byDay, pages }) => {
          if (byDay === null || valuesOf(byDay.columns, 'DATETIME').length === 0) return <Empty>{a.insights.none}</Empty>;
          const times = valuesOf(byDay.columns, 'DATETIME').map((time) => String(time).slice(0, 10));
          const numbers = new Map(COUNTS.map((count) => [count, new Map(times.map((day, index) => [day, Number(valuesOf(byDay.columns, count)[index] ?? 0)]))]));
          const length = RANGES.find(([insightsRangePreset]) => insightsRangePreset === range)?.[1] ?? 30;
          const days = daysOf(length, numbers.get(column) ?? new Map());
          const addresses = pages === null ? [] : valuesOf(pages.columns, 'URL');
          return (
            <>
              <Chart
                days={days} written={written}
                label={a.insights.chart(a.insights.counts[column] ?? column, a.insights.ranges[range] ?? range, Math.max(...days.map((day) => day.count)))}
              />
              <div className={admin.scroll} tabIndex={0} role="region" aria-label={a.insights.day} style={{ maxBlockSize: '24rem', overflowY: 'auto' }}>
                <table className={admin.table}>
                  <thead><tr><th scope="col">{a.insights.day}</th>{COUNTS.map((count) => <th key={count} scope="col" className={admin.number}>{a.insights.counts[count]}</th>)}</tr></thead>
                  <tbody>
                    {[...times].reverse().map((day) => (
                      <tr key={day}><td>{written.format(new Date(day))}</td>{COUNTS.map((count) => <td key={count} className={admin.number}>{numbers.get(count)?.get(day)}</td>)}</tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {addresses.length > 0 && pages !== null ? (
                <div className={admin.scroll} tabIndex={0} role="region" aria-label={a.insights.pages}>
                  <table className={admin.table}>
                    <caption style={{ textAlign: 'start', padding: '0.5rem 0.8rem', fontWeight: 600 }}>{a.insights.pages}</caption>
                    <thead><tr><th scope="col">{a.insights.page}</th><th scope="col" className={admin.number}>{a.insights.counts['EVENTS_COUNT']}</th></tr></thead>
                    <tbody>
                      {addresses.map((address, index) => {
                        const [views, top] = [index, 0].map((at) => Number(valuesOf(pages.columns, 'EVENTS_COUNT')[at] ?? 0)) as [number, number];
                        return (
                          <tr key={String(address)}>
                            <td><bdi>{String(address ?? '')}</bdi><span className={admin.part} style={{ inlineSize: `${(views / Math.max(1, top)) * 100}%` }} /></td>
                            <td className={admin.number}>{views}</td>
                          </tr>
                        );
                      })}
                    </tbody>
                  </table>
                </div>
              ) : null}
            </>
          );
        }}
      </Reading>
    </div>
  );
}
