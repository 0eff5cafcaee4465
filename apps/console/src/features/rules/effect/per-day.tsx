import { useFormatter, useTranslations } from 'use-intl';
import type { Effect } from '../queries.ts';

const HEIGHT = 36;
const STEP = 8;
const BAR = 6;

/** How many decisions a day would change, as small bars that name their day. */
export function PerDay({ days }: { readonly days: Effect['perDay'] }) {
  const words = useTranslations('rules.effect');
  const format = useFormatter();
  const most = Math.max(...days.map(({ changed }) => changed), 0);
  if (most === 0) return null;
  return (
    <svg
      role="img"
      aria-label={words('daily')}
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      height={HEIGHT}
      preserveAspectRatio="xMinYMid meet"
      className="gh-bars"
    >
      {days.map(({ day, scanned, changed }, at) => {
        const height = Math.max((changed / most) * HEIGHT, 1);
        return (
          <rect key={day} x={at * STEP} y={HEIGHT - height} width={BAR} height={height} rx={1}>
            <title>
              {words('perDay', { changed, scanned, day: format.dateTime(new Date(day), { dateStyle: 'medium' }) })}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}
