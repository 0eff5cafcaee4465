import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Overlay } from '../../ui/forms/unsaved.ts';
import { useMe } from '../../api/me.ts';
import { signOut } from '../../ui/sign-out.ts';
import { shownAddress } from '../../ui/text/mail-domain.ts';
import { changePreferences, usePreferences } from '../preferences.ts';

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => [...part][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

function Appearance() {
  const words = useTranslations('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
      <Menu.Label>{words('theme')}</Menu.Label>
      {(['light', 'dark', 'auto'] as const).map((value) => (
        <Menu.RadioItem key={value} value={value}>
          {words(`themes.${value}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

function Taste() {
  const words = useTranslations('shell');
  const { density, singleKeys } = usePreferences();
  return (
    <>
      <Menu.CheckboxItem
        checked={density === 'compact'}
        onChange={(isCompact) => changePreferences({ density: isCompact ? 'compact' : 'comfortable' })}
      >
        {words('compact')}
      </Menu.CheckboxItem>
      <Menu.CheckboxItem checked={singleKeys} onChange={(next) => changePreferences({ singleKeys: next })}>
        {words('singleKeys')}
      </Menu.CheckboxItem>
    </>
  );
}

/** Who one is, appearance, shortcuts and the way out. */
export function AccountMenu() {
  const words = useTranslations('shell');
  const { scope, user, membership } = useMe();
  const { role, orgName, partnerName } = membership;
  const shown = scope === 'system' ? words('operator', { role }) : role;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton aria-label={words('account', { name: user.name })}>
          <Avatar radius="xl" size={34} color="brand" variant="filled">
            {initialsOf(user.name)}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Overlay />
        <Menu.Label>
          <Text size="sm" fw={600}>
            {user.name}
          </Text>
          <Text size="xs">{shownAddress(user.email)}</Text>
          <Text size="xs">{[shown, orgName ?? partnerName].filter(Boolean).join(' · ')}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Appearance />
        <Menu.Divider />
        <Taste />
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/profile">
          {words('profile')}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut('/auth/logout')}>{words('signOut')}</Menu.Item>
        <Menu.Item onClick={() => void signOut('/auth/logout-all')}>{words('signOutEverywhere')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
