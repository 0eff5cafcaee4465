import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '../icons.tsx';
import { useTranslations } from 'use-intl';
import { Breaking } from './safe-text.tsx';

interface CopyTextProps {
  readonly text: string;
  readonly label?: string;
  /** What the button says that it copies. */
  readonly name?: string;
  /** What is shown in place of the whole text. */
  readonly shown?: string;
}

const SHOWN_HASH = 16;

/** The beginning of a hash, which is enough to compare; the button copies all of it. */
export const Hash = ({ value }: { readonly value: string }) => (
  <CopyText text={value} shown={`${value.slice(0, SHOWN_HASH)}…`} />
);

/** A short text in monospace with a button that copies it whole. */
export function CopyText({ text, label, name, shown = text }: CopyTextProps) {
  const words = useTranslations('ui');
  const act = name ?? words('copy');
  const whole = (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Text span size="sm" ff="monospace" className="gh-data">
        <Breaking text={shown} />
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? words('copied') : act}>
            <ActionIcon size={24} variant="subtle" color="gray" onClick={copy} aria-label={act}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
  if (!label) return whole;
  return (
    <Group gap="0 8px" component="span" display="inline-flex">
      <Text span size="sm" c="dimmed">
        {label}
      </Text>
      {whole}
    </Group>
  );
}
