import { Alert, Group, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '../../../ui/icons.tsx';
import { useFormatter, useTranslations } from 'use-intl';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import type { Verdict } from '../queries.ts';

const SHOWN_HASH = 16;

interface VerdictViewProps {
  readonly verdict: Verdict;
  readonly at: number;
}

/** What the verification found, in plain words. */
export function VerdictView({ verdict, at }: VerdictViewProps) {
  const words = useTranslations('audit.verified');
  const format = useFormatter();
  const { valid, length, head, firstBadSequence = 0, publishedCheckpoint } = verdict;
  const Icon = valid ? IconShieldCheck : IconShieldX;
  return (
    <Alert
      color={valid ? 'green' : 'red'}
      variant="light"
      role="status"
      className="gh-verdict"
      icon={<Icon aria-hidden />}
      title={words(valid ? 'valid' : 'invalid')}
    >
      <Text size="sm">
        {valid ? words('validText', { length }) : words('invalidText', { sequence: firstBadSequence })}
      </Text>
      {publishedCheckpoint && <Text size="sm">{words('unpublished')}</Text>}
      <Group gap={6}>
        <Text size="sm">{words('at', { time: format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' }) })}</Text>
        <CopyText text={head} shown={`${head.slice(0, SHOWN_HASH)}…`} />
      </Group>
    </Alert>
  );
}
