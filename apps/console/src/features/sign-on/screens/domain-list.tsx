import { Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Page } from '../../../ui/page.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { Domains } from '../parts/domains.tsx';
import { SignOnLinks } from '../parts/sign-on-links.tsx';
import '../words.ts';

/** The mail domains of the chosen organisation: claimed, proven or refused. */
export function DomainList() {
  const words = useTranslations('signOn');
  const orgId = useOrg();
  return (
    <Page title={words('domains')}>
      <SignOnLinks />
      <Stack maw={820}>{orgId ? <Domains orgId={orgId} /> : <ChooseOrganization />}</Stack>
    </Page>
  );
}
