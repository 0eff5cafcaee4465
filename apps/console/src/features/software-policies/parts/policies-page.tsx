import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { RulesTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { NewPolicyButton } from './new-policy.tsx';

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
