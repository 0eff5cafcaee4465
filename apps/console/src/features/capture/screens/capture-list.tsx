import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { usePartnerColumn } from '../../../ui/lists/partner-column.ts';
import { RulesTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { NewPolicyButton } from '../parts/policy-buttons.tsx';
import { StateBadge } from '../parts/settings-card.tsx';
import { type Assignment, type CapturePolicy, LEVELS, policiesQuery } from '../policies.ts';

/** How many places of each level a policy is assigned to, from the widest level to the narrowest. */
export const assignedTo = (assignments: readonly Pick<Assignment, 'level'>[]) =>
  LEVELS.map((level) => ({ level, count: assignments.filter((one) => one.level === level).length })).filter(
    ({ count }) => count > 0,
  );

/** Loaded behind the list. */
const DeviceSource = lazyPart(async () => ({ default: (await import('../parts/device-source.tsx')).DeviceSource }));

const route = getRouteApi('/rules/capture');

function useColumns(policies: readonly CapturePolicy[], org: string | undefined): readonly Column<CapturePolicy>[] {
  const words = useTranslations('captureLevels');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ id, name }) => (
        <Link to="/rules/capture/$policyId" params={{ policyId: id }} search={org ? { org } : {}} data-open>
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: words('state'),
      cell: ({ features: { pam } }) => (pam ? <StateBadge on={pam.uacInterceptionEnabled} /> : words('undecided')),
    },
    {
      id: 'owner',
      header: words('owner'),
      cell: ({ ownerScope, orgId }) =>
        orgId ? <PlaceName level="organization" id={orgId} /> : words(`owners.${ownerScope}`),
    },
    ...usePartnerColumn(policies),
    {
      id: 'assigned',
      header: words('assigned'),
      cell: ({ assignments }) =>
        assignedTo(assignments)
          .map(({ level, count }) => words(`counts.${level}`, { count }))
          .join(', ') || words('unassigned'),
    },
  ];
}

function Policies({ org }: { readonly org: string | undefined }) {
  const words = useTranslations('captureLevels');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrowed = useMe().scope !== 'organization' && search.org !== undefined;
  const query = useQuery(policiesQuery(org, search.page));
  const columns = useColumns(query.data?.data ?? [], org);
  return (
    <Stack gap="sm">
      <Title order={2}>{words('policies')}</Title>
      <Text size="sm" c="dimmed">
        {words('policiesText')} {isNarrowed && words('ownOnly')}{' '}
        {isNarrowed && (
          <Link to="/rules/capture" search={{}}>
            {words('showAll')}
          </Link>
        )}
      </Text>
      <ListView
        query={query}
        rows={({ data }) => data}
        empty={{ title: words('noPolicy'), text: words('noPolicyText') }}
        onPage={(page) => void navigate({ search: { ...search, page } })}
      >
        {(data) => <DataTable label={words('policies')} columns={columns} rows={data} idOf={({ id }) => id} />}
      </ListView>
    </Stack>
  );
}

/** Where prompts are captured, by level, and where the value of one device comes from. */
export function CaptureList() {
  const words = useTranslations('captureLevels');
  const { device, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const org = useOrg();
  return (
    <Page title={words('captureTitle')} actions={<NewPolicyButton org={org} />}>
      <RulesTabs />
      <Policies org={org} />
      <Suspense fallback={null}>
        <DeviceSource
          {...{ org, device }}
          onDevice={(id) => void navigate({ search: id ? { ...search, device: id } : search, replace: true })}
        />
      </Suspense>
    </Page>
  );
}
