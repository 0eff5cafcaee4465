import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { RulesTabs } from '../../../ui/area-tabs.tsx';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { Page } from '../../../ui/page.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';

/** Loaded with the first new policy. */
const NewPolicyForm = lazyPart(async () => ({ default: (await import('./new-policy-form.tsx')).NewPolicyForm }));

/** The policies of one organisation, as a list or by the place that they are for. */
export function PoliciesPage({ children }: { readonly children: (orgId: string) => ReactNode }) {
  const words = useTranslations('softwarePolicies');
  const org = useOrg();
  const shared = { search: { org }, activeOptions: { exact: true, includeSearch: false } };
  return (
    <Page title={words('title')} actions={org && <NewPolicyButton orgId={org} />}>
      <RulesTabs />
      {!org && <ChooseOrganization />}
      {org && (
        <>
          <Group component="nav" className="gh-views" aria-label={words('title')}>
            <Link to="/rules/software-policies" {...shared}>
              {words('list')}
            </Link>
            <Link to="/rules/software-policies/places" {...shared}>
              {words('byPlace')}
            </Link>
          </Group>
          {children(org)}
        </>
      )}
    </Page>
  );
}

/** Makes a policy without entries and opens it. */
function NewPolicyButton({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('softwarePolicies');
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()('POST /pam/software-policies')) return null;
  return (
    <>
      <Button onClick={dialog.open}>{words('new')}</Button>
      <Dialog title={words('new')} orgId={orgId} opened={opened} onClose={dialog.close}>
        <Suspense fallback={null}>{opened && <NewPolicyForm orgId={orgId} onClose={dialog.close} />}</Suspense>
      </Dialog>
    </>
  );
}
