import { Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { Domains } from '../parts/domains.tsx';
import { SignOnPage } from '../parts/sign-on-page.tsx';
import '../words.ts';

/** The mail domains of the chosen organisation: claimed, proven or refused. */
export function DomainList() {
  const words = useTranslations('signOn');
  const orgId = useOrg();
  return (
    <SignOnPage title={words('domains')}>
      <Stack maw={820}>{orgId ? <Domains orgId={orgId} /> : <ChooseOrganization />}</Stack>
    </SignOnPage>
  );
}
