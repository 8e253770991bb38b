/** What readers did: a chart, and a table of the same numbers. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type { InsightsColumn, InsightsRangePreset } from '../../graph/generated/graphql.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useLanguage } from '../../texts/texts.tsx';
import { Empty, Notice, ui } from '../../ui/ui.tsx';
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
const WIDTH = 900;
const HEIGHT = 220;
const FOOT = 22;

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

function Chart({ days, label }: { days: readonly Day[]; label: string }) {
  const most = Math.max(1, ...days.map((one) => one.count));
  const step = WIDTH / days.length;
  const named = Math.ceil(days.length / 6);
  return (
    <svg className={admin.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT + FOOT}`} role="img" aria-label={label}>
      <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      <line x1="0" x2={WIDTH} y1="14" y2="14" strokeDasharray="3 5" />
      <text x="0" y="11">{most}</text>
      {days.map(({ day, count }, index) => {
        const height = (count / most) * (HEIGHT - 14);
        return (
          <g key={day}>
            <rect x={index * step + step * 0.12} y={HEIGHT - height} width={step * 0.76} height={height} rx="2"><title>{`${day}: ${count}`}</title></rect>
            {index % named === 0 ? <text x={index * step + 2} y={HEIGHT + 16}>{day.slice(5)}</text> : null}
          </g>
        );
      })}
    </svg>
  );
}

type Columns = ReadonlyArray<{ readonly column: InsightsColumn; readonly values: readonly unknown[] }>;
const valuesOf = (columns: Columns, name: InsightsColumn): readonly unknown[] => columns.find((one) => one.column === name)?.values ?? [];

export default function Insights({ site }: PartOfSite) {
  const a = useAdminTexts();
  const { code } = useLanguage();
  const [range, setRange] = useState<InsightsRangePreset>('LAST_30_DAYS');
  const [column, setColumn] = useState<InsightsColumn>('VISITORS_COUNT');
  const result = useRead(INSIGHTS, {
    id: site.id,
    days: { range: { preset: range }, select: [{ column: 'DATETIME', interval: 'DAY' }, ...COUNTS.map((one) => ({ column: one }))] },
    pages: { range: { preset: range }, select: [{ column: 'URL' }, { column: 'EVENTS_COUNT' }], order: { by: { column: 'EVENTS_COUNT' }, direction: 'DESC' }, limit: 10 },
  }, !site.permissions.viewInsights);
  if (!site.permissions.viewInsights) return <Notice tone="neutral">{a.insights.notYours}</Notice>;
  const written = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <div className={admin.form}>
      <p className={ui.hint}>{a.insights.about}</p>
      <div className={admin.toolbar}>
        <Choice label={a.insights.range} value={range} onChange={setRange} options={RANGES.map(([one]) => [one, a.insights.ranges[one] ?? one] as const)} />
        <Choice label={a.insights.count} value={column} onChange={setColumn} options={COUNTS.map((one) => [one, a.insights.counts[one] ?? one] as const)} />
      </div>
      <Reading result={result} pick={(data) => data.site}>
        {({ days: byDay, pages }) => {
          if (byDay === null || valuesOf(byDay.columns, 'DATETIME').length === 0) return <Empty>{a.insights.none}</Empty>;
          const times = valuesOf(byDay.columns, 'DATETIME').map((time) => String(time).slice(0, 10));
          const numbers = new Map(COUNTS.map((one) => [one, new Map(times.map((day, index) => [day, Number(valuesOf(byDay.columns, one)[index] ?? 0)]))]));
          const length = RANGES.find(([one]) => one === range)?.[1] ?? 30;
          const days = daysOf(length, numbers.get(column) ?? new Map());
          const addresses = pages === null ? [] : valuesOf(pages.columns, 'URL');
          return (
            <>
              <Chart days={days} label={a.insights.chart(a.insights.counts[column] ?? column, a.insights.ranges[range] ?? range)} />
              <div className={admin.scroll} tabIndex={0} role="region" aria-label={a.insights.day} style={{ maxBlockSize: '24rem', overflowY: 'auto' }}>
                <table className={admin.table}>
                  <thead><tr><th scope="col">{a.insights.day}</th>{COUNTS.map((one) => <th key={one} scope="col" className={admin.number}>{a.insights.counts[one]}</th>)}</tr></thead>
                  <tbody>
                    {[...times].reverse().map((day) => (
                      <tr key={day}><td>{written.format(new Date(day))}</td>{COUNTS.map((one) => <td key={one} className={admin.number}>{numbers.get(one)?.get(day)}</td>)}</tr>
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
                      {addresses.map((address, index) => (
                        <tr key={String(address)}><td><bdi>{String(address ?? '')}</bdi></td><td className={admin.number}>{Number(valuesOf(pages.columns, 'EVENTS_COUNT')[index] ?? 0)}</td></tr>
                      ))}
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
