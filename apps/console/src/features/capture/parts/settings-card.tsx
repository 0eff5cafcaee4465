import { Badge, Group, Stack, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { VersionedFormButton, type VersionedFormButtonProps } from '../../../ui/conflicts/versioned-form-button.tsx';
import type { Versioned } from '../../../ui/conflicts/last-save.ts';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import capture from '../../../words/en/capture.json' with { type: 'json' };
import captureLevels from '../../../words/en/captureLevels.json' with { type: 'json' };
import { addWords } from '../../../words/index.ts';

addWords({ capture, captureLevels });

type Own = 'label' | 'name' | 'title' | 'size' | 'variant' | 'changes';

interface SettingsCardProps<Stored> extends Omit<VersionedFormButtonProps<Stored>, Own> {
  readonly title: string;
  /** What the button does, and the title of the form. */
  readonly change: string;
  readonly facts: readonly Fact[];
}

/** Settings of an organisation as facts, with the form that changes them; `children` stand below. */
export function SettingsCard<Stored extends Versioned>(props: SettingsCardProps<Stored>) {
  const { title, change, facts, children, ...form } = props;
  const words = useTranslations('capture');
  return (
    <Stack className="gh-card">
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        <VersionedFormButton
          {...form}
          label={words('change')}
          aria-label={change}
          title={change}
          name={title}
          size="xs"
          variant="default"
          changes={['capture']}
        />
      </Group>
      <Facts facts={facts} />
      {children}
    </Stack>
  );
}

/** Whether prompts are captured. */
export function StateBadge({ on }: { readonly on: boolean }) {
  const words = useTranslations('captureLevels');
  return <Badge color={on ? 'green' : 'gray'}>{words(on ? 'on' : 'off')}</Badge>;
}
