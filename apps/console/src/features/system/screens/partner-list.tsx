import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { changedValues, type Field, filledValues, type Values } from '../../../ui/forms/fields.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { InviteButton } from '../parts/invite-button.tsx';
import { createPartner, type Partner, partnersQuery, PLANS, STATUSES, TYPES, updatePartner } from '../queries.ts';

const route = getRouteApi('/system/partners');
const COLORS = { pending: 'yellow', active: 'green', suspended: 'orange', churned: 'gray' } as const;
type Draft = Parameters<typeof createPartner>[0];
type Patch = Parameters<typeof updatePartner>[1];

function useFields(): readonly Field[] {
  const words = useTranslations('system');
  return [
    { name: 'name', label: words('name'), ...inputLimits('POST /orgs/partners', 'name') },
    {
      name: 'slug',
      label: words('slug'),
      description: words('slugText'),
      ...inputLimits('POST /orgs/partners', 'slug'),
    },
    {
      name: 'type',
      label: words('type'),
      kind: 'choice',
      choices: TYPES.map((value) => ({ value, label: words(`types.${value}`) })),
    },
    { name: 'plan', label: words('plan'), kind: 'choice', choices: PLANS.map((value) => ({ value, label: value })) },
    {
      name: 'status',
      label: words('status'),
      kind: 'choice',
      choices: STATUSES.map((value) => ({ value, label: words(`statuses.${value}`) })),
    },
    { name: 'maxOrganizations', label: words('maxOrganizations'), kind: 'number', description: words('noCap') },
    { name: 'maxDevices', label: words('maxDevices'), kind: 'number', description: words('noCap') },
  ];
}

const draftOf = (values: Values): Draft => ({
  ...filledValues(values),
  name: String(values['name']),
  slug: String(values['slug']),
});

function NewPartner() {
  const words = useTranslations('system');
  return (
    <FormButton
      label={words('new')}
      needs="POST /orgs/partners"
      action="create"
      fields={useFields().map((field) => (field.name === 'slug' ? { ...field, follows: 'name' } : field))}
      initial={{ type: 'msp', plan: 'free', status: 'active' }}
      changes={['system']}
      act={(values) => createPartner(draftOf(values))}
      onDone={() => notifyDone(words('created'))}
    />
  );
}

const valuesOf = ({ name, slug, type, plan, status, maxOrganizations, maxDevices }: Partner): Values => ({
  name,
  slug,
  type,
  plan,
  status,
  maxOrganizations: maxOrganizations ?? '',
  maxDevices: maxDevices ?? '',
});

function EditPartner({ partner }: { readonly partner: Partner }) {
  const words = useTranslations('system');
  const initial = valuesOf(partner);
  const title = words('editNamed', { name: partner.name });
  return (
    <FormButton
      key={partner.updatedAt}
      label={words('edit')}
      title={title}
      aria-label={title}
      size="xs"
      variant="default"
      needs="PATCH /orgs/partners/{id}"
      fields={useFields()}
      initial={initial}
      changes={['system']}
      act={(values) => updatePartner(partner.id, changedValues(initial, values) as Patch)}
      onDone={() => notifyDone(words('changed'))}
    />
  );
}

function useColumns(): readonly Column<Partner>[] {
  const words = useTranslations('system');
  return [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    { id: 'slug', header: words('slug'), cell: ({ slug }) => slug },
    {
      id: 'status',
      header: words('status'),
      cell: ({ status }) => (
        <Badge color={COLORS[status]} data-status>
          {words(`statuses.${status}`)}
        </Badge>
      ),
    },
    { id: 'plan', header: words('plan'), cell: ({ plan }) => plan },
    { id: 'organizations', header: words('maxOrganizations'), cell: ({ maxOrganizations }) => maxOrganizations ?? '–' },
    { id: 'devices', header: words('maxDevices'), cell: ({ maxDevices }) => maxDevices ?? '–' },
    { id: 'since', header: words('since'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    {
      id: 'acts',
      header: words('acts'),
      bare: true,
      cell: (partner) => (
        <Group gap="xs" wrap="nowrap">
          {partner.status !== 'churned' && <InviteButton partner={partner} />}
          <EditPartner partner={partner} />
        </Group>
      ),
    },
  ];
}

/** The partners of the installation: for its operators. */
export function PartnerList() {
  const words = useTranslations('system');
  const { q, page } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const search = (next: string | undefined) =>
    void navigate({ search: next === undefined ? {} : { q: next }, replace: true });
  return (
    <Page title={words('title')} actions={<NewPartner />}>
      <FilterBar>
        <SearchFilter value={q} onChange={search} />
      </FilterBar>
      <ListView
        query={useQuery(partnersQuery({ ...(q && { q }), ...(page && { page }) }))}
        rows={({ data }) => data}
        empty={{ title: words('none'), text: words('noneText'), clear: q ? () => search(undefined) : undefined }}
        onPage={(next) => void navigate({ search: { ...(q && { q }), page: next } })}
      >
        {(data) => <DataTable label={words('title')} columns={columns} rows={data} idOf={({ id }) => id} />}
      </ListView>
    </Page>
  );
}
