import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

/** The screens about the partner itself. */
export function SettingsLinks() {
  const words = useTranslations('settings');
  return (
    <Group gap="md" component="nav" aria-label={words('title')}>
      <Link to="/settings/partner">{words('partner')}</Link>
      <Link to="/settings/branding">{words('branding')}</Link>
    </Group>
  );
}
