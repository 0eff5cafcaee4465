import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '../../ui/icons.tsx';
import { useTranslations } from 'use-intl';
import { usePreferences } from '../preferences.ts';
import { type Place, toggleStar } from './places.ts';

/** Keeps an organisation at the top of the switcher, in this browser. */
export function StarButton({ id, name }: Place) {
  const words = useTranslations('shell.context');
  const isStarred = usePreferences().starredOrganizations.includes(id);
  const Icon = isStarred ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      variant="subtle"
      aria-label={words(isStarred ? 'unstar' : 'star', { name })}
      aria-pressed={isStarred}
      onClick={() => toggleStar(id)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
