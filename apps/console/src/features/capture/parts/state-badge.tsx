import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** Whether prompts are captured. */
export function StateBadge({ on }: { readonly on: boolean }) {
  const words = useTranslations('captureLevels');
  return (
    <Badge size="sm" variant="light" tt="none" color={on ? 'green' : 'gray'} className="gh-status">
      {words(on ? 'on' : 'off')}
    </Badge>
  );
}
