import { Alert, SimpleGrid } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { Page } from '../../../ui/page.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { Memberships, Password } from '../parts/cards.tsx';
import { Factors } from '../parts/factors.tsx';
import { Links } from '../parts/links.tsx';
import { Notifications } from '../parts/notifications.tsx';
import { Sessions } from '../parts/sessions.tsx';
import '../words.ts';

const route = getRouteApi('/settings/profile');

const LINK_ERRORS = [
  'email_mismatch',
  'identity_in_use',
  'identity_conflict',
  'provider_changed',
  'session_expired',
] as const;

function LinkError({ code }: { readonly code: string }) {
  const words = useTranslations('account.linkErrors');
  const known = LINK_ERRORS.find((one) => one === code);
  return (
    <Alert color="red" variant="light" role="alert">
      {words(known ?? 'other')}
    </Alert>
  );
}

/** What a person can change about their own account. */
export function ProfilePage() {
  const words = useTranslations('account');
  const { user } = useMe();
  const { ssoLinked, ssoLinkError } = route.useSearch();
  return (
    <Page title={words('title')} aside={shownAddress(user.email)}>
      {ssoLinked && <Alert color="green">{words('ssoLinked')}</Alert>}
      {ssoLinkError && <LinkError code={ssoLinkError} />}
      <SimpleGrid type="container" cols={{ base: 1, '46rem': 2 }}>
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
