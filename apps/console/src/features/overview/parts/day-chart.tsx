import { Group, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { barsOf, type Bucket, OUTCOMES } from '../model.ts';

const HEIGHT = 132;
const TOP = 6;
const LABEL = 20;
const FILLED = 0.62;

const percent = (share: number): string => `${share * 100}%`;

/** A day's name below its bar. */
function DayName({ at, days, from }: { readonly at: number; readonly days: number; readonly from: string }) {
  const format = useFormatter();
  return (
    <text x={percent((at + 0.5) / days)} y={HEIGHT + LABEL - 4} textAnchor="middle">
      {format.dateTime(new Date(from), { day: 'numeric' })}
    </text>
  );
}

/** Requests a day by outcome, as bars; the table below holds the numbers. */
export function DayChart({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const words = useTranslations('overview');
  const scale = HEIGHT - TOP;
  const width = FILLED / buckets.length;
  return (
    <figure className="gh-card gh-chart">
      <svg role="img" aria-label={words('chart')} width="100%" height={HEIGHT + LABEL}>
        {barsOf(buckets).map((parts, at) =>
          parts.map(({ outcome, from, height }) => (
            <rect
              key={`${at} ${outcome}`}
              data-outcome={outcome}
              x={percent((at + 0.5) / buckets.length - width / 2)}
              y={HEIGHT - (from + height) * scale}
              width={percent(width)}
              height={Math.max(1, height * scale)}
            />
          )),
        )}
        {buckets.map(({ from }, at) => (
          <DayName key={from} at={at} days={buckets.length} from={from} />
        ))}
      </svg>
      <Group component="figcaption" gap="md">
        {OUTCOMES.map((outcome) => (
          <Text key={outcome} span size="xs" c="dimmed" data-outcome={outcome} className="gh-legend">
            {words(outcome)}
          </Text>
        ))}
      </Group>
    </figure>
  );
}
