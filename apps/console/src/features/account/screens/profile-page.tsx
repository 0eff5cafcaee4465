import { Alert, SimpleGrid } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { Page } from '../../../ui/page.tsx';
import { Factors, Links, Memberships, Password, Sessions } from '../parts/cards.tsx';
import { Notifications } from '../parts/notifications.tsx';
import '../words.ts';

const route = getRouteApi('/settings/profile');

/** What a person can change about their own account. */
export function ProfilePage() {
  const words = useTranslations('account');
  const { user } = useMe();
  const { ssoLinked, ssoLinkError } = route.useSearch();
  return (
    <Page title={words('title')} aside={user.email}>
      {ssoLinked && <Alert color="green">{words('ssoLinked')}</Alert>}
      {ssoLinkError && <Alert color="red">{words('ssoLinkError')}</Alert>}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Factors />
        <Password />
        <Notifications />
        <Sessions />
        <Memberships />
        <Links />
      </SimpleGrid>
    </Page>
  );
}
