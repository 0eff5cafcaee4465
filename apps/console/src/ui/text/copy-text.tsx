import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '../icons.tsx';
import { useTranslations } from 'use-intl';

interface CopyTextProps {
  readonly text: string;
  readonly label?: string;
  /** What is shown in place of the whole text. */
  readonly shown?: string;
}

/** A short text in monospace with a button that copies it whole. */
export function CopyText({ text, label, shown = text }: CopyTextProps) {
  const words = useTranslations('ui');
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      {label && (
        <Text span size="sm" c="dimmed">
          {label}
        </Text>
      )}
      <Text span size="sm" ff="monospace" className="gh-data">
        {shown}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={words(copied ? 'copied' : 'copy')}>
            <ActionIcon size="sm" variant="subtle" color="gray" onClick={copy} aria-label={words('copy')}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
