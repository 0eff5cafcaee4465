import { Group, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { type Bucket, chartOf, type Outcome, OUTCOMES } from '../model.ts';

const HEIGHT = 132;
const TOP = 8;
const LABEL = 20;
/** The width of the numbers at the axis. */
const AXIS = 36;
const FILLED = 0.62;

const percent = (share: number): string => `${share * 100}%`;
const upTo = (share: number): number => HEIGHT - share * (HEIGHT - TOP);
const colorOf = (outcome: Outcome) => ({ '--gh-outcome': `var(--gh-${outcome})` }) as CSSProperties;

/** The numbers of requests at the left of the bars. */
function Axis({ ticks }: { readonly ticks: readonly number[] }) {
  const format = useFormatter();
  return (
    <svg width={AXIS} height={HEIGHT + LABEL} aria-hidden>
      {ticks.map((tick) => (
        <text key={tick} x={AXIS - 6} y={upTo(tick / (ticks.at(-1) ?? 1)) + 4} textAnchor="end">
          {format.number(tick, { notation: 'compact' })}
        </text>
      ))}
    </svg>
  );
}

/** Requests a day by outcome, as bars; the table below holds the numbers. */
export function DayChart({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const words = useTranslations('overview');
  const format = useFormatter();
  const { bars, ticks } = chartOf(buckets);
  const days = buckets.length;
  return (
    <figure className="gh-card gh-chart">
      <Group gap={0} wrap="nowrap">
        <Axis ticks={ticks} />
        <svg role="img" aria-label={words('chart')} width="100%" height={HEIGHT + LABEL}>
          {ticks.map((tick, at) => (
            <line key={tick} x2="100%" y1={upTo(at / (ticks.length - 1))} y2={upTo(at / (ticks.length - 1))} />
          ))}
          {bars.map((parts, at) =>
            parts.map(({ outcome, from, height }) => (
              <rect
                key={`${at} ${outcome}`}
                style={colorOf(outcome)}
                x={percent((at + (1 - FILLED) / 2) / days)}
                y={upTo(from + height)}
                width={percent(FILLED / days)}
                height={Math.max(1, upTo(0) - upTo(height))}
              />
            )),
          )}
          {buckets.map(({ from }, at) => (
            <text
              key={from}
              className={at % 2 === 1 ? 'gh-odd-day' : undefined}
              x={percent((at + 0.5) / days)}
              y={HEIGHT + LABEL - 4}
              textAnchor="middle"
            >
              {format.dateTime(new Date(from), { day: 'numeric' })}
            </text>
          ))}
        </svg>
      </Group>
      <Group component="figcaption" gap="md">
        {OUTCOMES.map((outcome) => (
          <Text key={outcome} span size="xs" c="dimmed" style={colorOf(outcome)} className="gh-legend">
            {words(outcome)}
          </Text>
        ))}
      </Group>
    </figure>
  );
}
