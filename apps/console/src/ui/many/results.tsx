import { Button, CloseButton, Group, Text } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconCheck, IconClock, IconX } from '../icons.tsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { countOf, type Ending, inOrder, MAX_AT_ONCE, type Result, retriable, type useMany } from './outcomes.ts';
import manyWords from '../../words/en/many.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ many: manyWords });

const ICONS: Readonly<Record<Ending, Icon>> = {
  done: IconCheck,
  vote: IconCheck,
  faster: IconAlertTriangle,
  ticket: IconAlertTriangle,
  refused: IconX,
  leftOut: IconAlertTriangle,
  later: IconClock,
};

interface ResultRowProps {
  readonly result: Result;
  readonly children: ReactNode;
}

function ResultRow({ result: { ending, why }, children }: ResultRowProps) {
  const words = useTranslations('many');
  const Icon = ICONS[ending];
  return (
    <li data-ending={ending}>
      <Icon size={16} aria-hidden />
      <span>{children}</span>
      <Text span size="sm" c="dimmed">
        {why ? words('refused', { why }) : words(`endings.${ending}`, { most: MAX_AT_ONCE })}
      </Text>
    </li>
  );
}

interface ResultsProps {
  readonly of: ReturnType<typeof useMany>;
  readonly nameOf: (id: string) => ReactNode;
}

/** What became of each of many acts; those that failed can be tried again together. */
export function Results({ of: { results, running, retry, dismiss }, nameOf }: ResultsProps) {
  const words = useTranslations('many');
  const isShown = results.length > 0;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isShown) section.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  if (!isShown) return null;
  const counts = { done: countOf(results, 'done', 'vote'), failed: countOf(results, 'refused', 'faster', 'ticket') };
  const again = retriable(results).length;
  return (
    <section ref={section} className="gh-card gh-results" aria-label={words('title')}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} role="status">
          {words('summary', counts)}
        </Text>
        <CloseButton aria-label={words('dismiss')} onClick={dismiss} />
      </Group>
      <ul>
        {inOrder(results).map((result) => (
          <ResultRow key={result.id} result={result}>
            {nameOf(result.id)}
          </ResultRow>
        ))}
      </ul>
      {again > 0 && (
        <Button size="xs" mt="xs" variant="default" loading={running} onClick={() => void retry()}>
          {words('retry', { count: again })}
        </Button>
      )}
    </section>
  );
}
