import '../../../ui/elevation/words.ts';
import { type DataOf, ok } from '@gatehouse/client';
import { Badge, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, getQuery } from '../../../api/client.ts';
import { serverNow } from '../../../api/browser.ts';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { FreezeButton } from '../../../ui/elevation/freeze-button.tsx';
import { FREEZE_CHANGES } from '../../../ui/elevation/freeze.ts';
import { FrozenIn, organizationNameQuery } from '../../../ui/elevation/freeze-banner.tsx';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { HeldRows } from '../../../ui/lists/held-rows.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { stateOf, STATES } from '../model.ts';

type Freeze = DataOf<'/pam/freezes', 'get'>['freezes'][number];

interface FreezeFilter {
  readonly org?: string;
  readonly state?: (typeof STATES)[number];
}

/** The freezes of an organisation with those of its partner, or all within reach. */
const freezesQuery = ({ org, state }: FreezeFilter) => {
  const active = state && (state === 'active' ? ('true' as const) : ('false' as const));
  const query = { orgId: org, active };
  return getQuery('freezes', '/pam/freezes', {
    query,
    select: ({ freezes }) => freezes,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
};

const liftFreeze = (id: string, reason: string) =>
  ok(api.POST('/pam/freezes/{id}/lift', { params: { path: { id } }, body: { reason } }));

const route = getRouteApi('/freezes');
const COLORS = { active: 'red', lifted: 'green', expired: 'gray' } as const;
const NAME_LENGTH = 60;
const LIFT = 'POST /pam/freezes/{id}/lift';

function Target({ freeze }: { readonly freeze: Freeze }) {
  const words = useTranslations('freezes');
  const { level, targetId, targetName } = freeze;
  const name = <SafeText value={targetName ?? targetId} most={NAME_LENGTH} />;
  return (
    <>
      {words(`levels.${level}`)}{' '}
      {level === 'device' ? (
        <Link to="/devices/$deviceId" params={{ deviceId: targetId }}>
          {name}
        </Link>
      ) : level === 'organization' ? (
        <Link to="/orgs/$orgId" params={{ orgId: targetId }}>
          {name}
        </Link>
      ) : (
        name
      )}
      <FrozenIn freeze={freeze} />
    </>
  );
}

function State({ freeze }: { readonly freeze: Freeze }) {
  const words = useTranslations('freezes');
  const state = stateOf(freeze, serverNow());
  const { liftedByName, liftReason } = freeze;
  const { revoked, withdrawn, done } = freeze.progress;
  return (
    <Stack gap={4} align="flex-start">
      <Badge color={COLORS[state]}>{words(`states.${state}`)}</Badge>
      {state === 'lifted' && (
        <Text size="sm">
          {liftedByName}: {liftReason}
        </Text>
      )}
      {revoked + withdrawn > 0 && <Text size="sm">{words(done ? 'ended' : 'ending', { revoked, withdrawn })}</Text>}
    </Stack>
  );
}

function LiftButton({ freeze }: { readonly freeze: Freeze }) {
  const words = useTranslations('freezes');
  if (stateOf(freeze, serverNow()) !== 'active') return null;
  const { id, mode, targetName, targetId, orgId, level } = freeze;
  const name = targetName ?? targetId;
  return (
    <FormButton
      label={words('lift')}
      title={words('liftTitle', { name })}
      text={words(`liftText.${mode}`)}
      orgId={level === 'organization' ? null : orgId}
      size="xs"
      variant="default"
      needs={LIFT}
      fields={[
        {
          name: 'reason',
          label: words('reason'),
          kind: 'area',
          ...inputLimits('POST /pam/freezes/{id}/lift', 'reason'),
        },
      ]}
      changes={FREEZE_CHANGES}
      act={({ reason }) => liftFreeze(id, String(reason).trim())}
      onDone={() => notifyDone(words('lifted', { name }))}
    />
  );
}

function useColumns(): readonly Column<Freeze>[] {
  const words = useTranslations('freezes');
  const uiWords = useTranslations('ui');
  return [
    { id: 'target', header: words('target'), cell: (freeze) => <Target freeze={freeze} /> },
    { id: 'mode', header: words('mode'), cell: ({ mode }) => words(`modes.${mode}`) },
    { id: 'reason', header: words('reason'), cell: ({ reason }) => reason },
    {
      id: 'created',
      header: words('created'),
      cell: ({ createdByName, createdAt }) => (
        <>
          {createdByName}, <Instant at={createdAt} />
        </>
      ),
    },
    {
      id: 'expires',
      header: words('expires'),
      cell: ({ liftedAt, expiresAt }) => {
        const end = liftedAt ?? expiresAt;
        return end ? <Instant at={end} /> : uiWords('never');
      },
    },
    { id: 'state', header: words('state'), cell: (freeze) => <State freeze={freeze} /> },
    {
      id: 'acts',
      header: uiWords('actions'),
      bare: true,
      needs: LIFT,
      cell: (freeze) => <LiftButton freeze={freeze} />,
    },
  ];
}

function FreezeOrganization({ orgId }: { readonly orgId: string }) {
  const { scope, membership } = useMe();
  const own = scope === 'organization';
  const read = useQuery({ ...organizationNameQuery(orgId), enabled: !own }).data;
  const name = own ? membership.orgName : read;
  return name ? <FreezeButton level="organization" targetId={orgId} name={name} /> : null;
}

/** Freezes the chosen organisation, or the whole partner while none is chosen. */
function FreezeHere() {
  const orgId = useOrg();
  const { partnerId, membership } = useMe();
  if (orgId) return <FreezeOrganization orgId={orgId} />;
  const isWide = membership.orgAccess === 'all' && membership.siteIds.length === 0;
  if (!partnerId || !isWide) return null;
  return <FreezeButton level="partner" targetId={partnerId} name={membership.partnerName ?? ''} />;
}

/** The freezes of the chosen place, those in force and those that are over. */
export function FreezeList() {
  const words = useTranslations('freezes');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const { state, ...place } = search;
  const query = useQuery(freezesQuery(search));
  const clear = state && (() => void navigate({ search: place }));
  return (
    <Page title={words('title')} actions={<FreezeHere />}>
      <FilterBar>
        <ChoiceFilter
          name={words('state')}
          value={state}
          choices={STATES.map((value) => ({ value, label: words(`filter.${value}`) }))}
          onChange={(next) => void navigate({ search: { ...search, state: next }, replace: true })}
        />
      </FilterBar>
      <QueryView query={query}>
        {(freezes) =>
          freezes.length === 0 ? (
            <EmptyView title={words('none')} text={words('noneText')} clear={clear} />
          ) : (
            <HeldRows of="freezes" rows={freezes} question={JSON.stringify([search, query.isPlaceholderData])}>
              {(rows) => <DataTable label={words('title')} columns={columns} rows={rows} idOf={({ id }) => id} />}
            </HeldRows>
          )
        }
      </QueryView>
    </Page>
  );
}
