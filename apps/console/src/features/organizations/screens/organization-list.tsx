import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { StarButton } from '../../../shell/menus/star-button.tsx';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { filledValues, PARTNER_FIELD } from '../../../ui/forms/fields.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { usePartnerColumn } from '../../../ui/lists/partner-column.ts';
import { Page } from '../../../ui/page.tsx';
import { PartnerSelect } from '../../../ui/place/partner-select.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import {
  createOrganization,
  type Organization,
  organizationsQuery,
  ownOrganizationQuery,
  type SORTS,
  STATUSES,
  type Summary,
  summariesQuery,
} from '../queries.ts';
import { useChosenPartner } from '../../../ui/use-org.tsx';
import { OrderButtons, OrganizationStatus, useMayOrder } from '../parts/order-buttons.tsx';
import '../words.ts';

const route = getRouteApi('/orgs');
type NewOrganization = Parameters<typeof createOrganization>[0];

/** Moves organisations, while the list stands in the order that the partner has set. */
function useOrderColumn(rows: readonly Organization[]): readonly Column<Organization>[] {
  const words = useTranslations('organizations');
  const search = route.useSearch();
  if (!useMayOrder() || search.sort || search.q || search.status) return [];
  const place = { rows, listed: organizationsQuery(search).queryKey, isFirstPage: (search.page ?? 1) === 1 };
  return [{ id: 'order', header: words('order'), cell: (row) => <OrderButtons row={row} {...place} /> }];
}

function useColumns(rows: readonly Organization[]): readonly Column<Organization>[] {
  const words = useTranslations('organizations');
  const { scope } = useMe();
  const isAbove = scope !== 'organization';
  const summaries = useQuery(summariesQuery(isAbove ? rows.map(({ id }) => id) : [])).data;
  const figure = (name: 'devices' | 'waiting' | 'active' | 'signOn', show: (summary: Summary) => ReactNode) => ({
    id: name,
    header: words(name),
    cell: ({ id }: Organization) => {
      const summary = summaries?.get(id);
      return summary && show(summary);
    },
  });
  const columns: readonly Column<Organization>[] = [
    {
      id: 'name',
      header: words('name'),
      sort: 'name',
      cell: ({ id, name }) => (
        <Group gap={4} wrap="nowrap">
          {isAbove && <StarButton id={id} name={name} />}
          <Link to="/orgs/$orgId" params={{ orgId: id }} data-open>
            {name}
          </Link>
        </Group>
      ),
    },
    ...usePartnerColumn(rows),
    { id: 'status', header: words('status'), cell: (row) => <OrganizationStatus status={row.status} /> },
    figure('devices', ({ devicesOnline, devices }) => words('online', { online: devicesOnline, devices })),
    figure('waiting', ({ waiting }) => waiting),
    figure('active', ({ active }) => active),
    figure('signOn', ({ sso }) => words(`sso.${sso}`)),
    ...useOrderColumn(rows),
  ];
  // People of an organisation have the figures on their overview.
  return isAbove ? columns : columns.slice(0, 2);
}

function Table({ rows }: { readonly rows: readonly Organization[] }) {
  const words = useTranslations('organizations');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DataTable
      label={words('title')}
      columns={useColumns(rows)}
      rows={rows}
      idOf={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => void navigate({ search: { ...search, sort: sort as (typeof SORTS)[number] } })}
    />
  );
}

function NewButton() {
  const words = useTranslations('organizations');
  const navigate = useNavigate();
  const { scope } = useMe();
  return (
    <FormButton
      label={words('new')}
      needs="POST /orgs/organizations"
      action="create"
      fields={[
        ...(scope === 'system' ? [PARTNER_FIELD] : []),
        { name: 'name', label: words('name'), ...inputLimits('POST /orgs/organizations', 'name') },
        {
          name: 'slug',
          label: words('slug'),
          description: words('slugText'),
          follows: 'name',
          ...inputLimits('POST /orgs/organizations', 'slug'),
        },
      ]}
      changes={['organizations']}
      initial={{ partnerId: useChosenPartner() ?? '' }}
      act={(values) => createOrganization(filledValues(values) as Partial<NewOrganization> as NewOrganization)}
      onDone={({ id }) => void navigate({ to: '/orgs/$orgId', params: { orgId: id } })}
    />
  );
}

function OwnOrganization() {
  return <QueryView query={useQuery(ownOrganizationQuery)}>{(rows) => <Table rows={rows} />}</QueryView>;
}

function ManyOrganizations() {
  const words = useTranslations('organizations');
  const { scope } = useMe();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  const query = useQuery(organizationsQuery(search));
  const clear = search.q || search.status || search.partner ? () => void navigate({ search: {} }) : undefined;
  return (
    <>
      <FilterBar>
        <SearchFilter value={search.q} onChange={(q) => change({ q })} />
        {scope === 'system' && (
          <PartnerSelect
            aria-label={words('partner')}
            value={search.partner ?? null}
            onChange={(partner) => change({ partner: partner ?? undefined })}
            clearable
          />
        )}
        <ChoiceFilter
          name={words('status')}
          value={search.status}
          choices={STATUSES.map((value) => ({ value, label: words(`statuses.${value}`) }))}
          onChange={(status) => change({ status })}
        />
      </FilterBar>
      <ListView
        query={query}
        rows={({ data }) => data}
        empty={{ title: words('none'), text: words('noneText'), clear }}
        onPage={(page) => change({ page })}
        held={{ of: 'organizations', question: JSON.stringify([search, query.isPlaceholderData]) }}
      >
        {(rows) => <Table rows={rows} />}
      </ListView>
    </>
  );
}

/** The organisations within reach; a caller in organisation scope has one. */
export function OrganizationList() {
  const words = useTranslations('organizations');
  const { scope } = useMe();
  return (
    <Page title={words('title')} actions={<NewButton />}>
      {scope === 'organization' ? <OwnOrganization /> : <ManyOrganizations />}
    </Page>
  );
}
