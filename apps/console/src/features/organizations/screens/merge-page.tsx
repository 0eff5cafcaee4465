import { Alert, Button, List, Progress, Select, Stack, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { codeOf } from '../../../api/problem.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { useLabelOf } from '../../../ui/use-org.tsx';
import {
  mergeRunQuery,
  type Organization,
  organizationQuery,
  organizationsQuery,
  previewQuery,
  startMerge,
} from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/orgs/$orgId/merge');
const DEBOUNCE_MS = 200;

/** Searches for the organisation that stays. */
function ChooseSurvivor({ organization }: { readonly organization: Organization }) {
  const words = useTranslations('organizations');
  const { survivor } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS);
  const found = useQuery(organizationsQuery({ status: 'active', ...(settled && { q: settled }) })).data?.data ?? [];
  const others = found.filter(({ id }) => id !== organization.id);
  const labelOf = useLabelOf([organization, ...others]);
  return (
    <Select
      label={words('mergeChoose')}
      placeholder={words('mergeSearch')}
      data={others.map((one) => ({ value: one.id, label: labelOf(one) }))}
      value={survivor ?? null}
      searchable
      onSearchChange={setTyped}
      onChange={(next) => void navigate({ search: next ? { survivor: next } : {} })}
    />
  );
}

type Preview = Awaited<ReturnType<NonNullable<ReturnType<typeof previewQuery>['queryFn']>>>;

type NameOfTable = 'tables.roles';

function Tables({ tables }: Pick<Preview, 'tables'>) {
  const words = useTranslations('organizations');
  // A gateway that is newer than this page may move tables that the page has no words for.
  const nameOf = (table: string) => {
    const key = `tables.${table}` as NameOfTable;
    return words.has(key) ? words(key) : table.replaceAll('_', ' ');
  };
  return (
    // Three short columns: a table on a phone, too.
    <Table aria-label={words('mergeTable')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words('table')}</Table.Th>
          <Table.Th>{words('moves')}</Table.Th>
          <Table.Th>{words('drops')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tables
          .filter(({ move, drop }) => move + drop > 0)
          .map(({ service, table, move, drop }) => (
            <Table.Tr key={`${service}.${table}`}>
              <Table.Td>{nameOf(table)}</Table.Td>
              <Table.Td>{move}</Table.Td>
              <Table.Td>{drop}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

const PermissionText = lazyPart(async () => ({
  default: (await import('../../../ui/text/permission-text.tsx')).PermissionText,
}));

/** What to mind, and what stands in the way. */
function Notes({ warnings, blockers }: Pick<Preview, 'warnings' | 'blockers'>) {
  const words = useTranslations('organizations');
  const isBlocked = blockers.length > 0;
  if (!isBlocked && warnings.length === 0) return null;
  return (
    <Alert color={isBlocked ? 'red' : 'orange'} title={words(isBlocked ? 'blocked' : 'warnings')}>
      <List size="sm">
        {[...blockers, ...warnings].map((text) => (
          <List.Item key={text}>
            <Suspense fallback={null}>
              <PermissionText text={text} />
            </Suspense>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

interface StepsProps {
  readonly organization: Organization;
  readonly survivorId: string;
}

/** What the merge would do, and its start by the name of the organisation that goes. */
function Steps({ organization, survivorId }: StepsProps) {
  const { id, name } = organization;
  const words = useTranslations('organizations');
  const navigate = route.useNavigate();
  const survivor = useQuery(organizationQuery(survivorId)).data;
  const labelOf = useLabelOf([organization, ...(survivor ? [survivor] : [])]);
  const merged = { name: labelOf(organization), survivor: survivor ? labelOf(survivor) : '' };
  const [isStale, setStale] = useState(false);
  const begin = (planToken: string) =>
    startMerge(id, { survivorId, confirmName: name, planToken }).catch((error: unknown) => {
      setStale(codeOf(error) === 'plan_stale');
      throw error;
    });
  return (
    <QueryView query={useQuery(previewQuery(id, survivorId))}>
      {({ tables, totalMovableRows, verdict, warnings, blockers, planToken }) => (
        <Stack>
          {isStale && (
            <Alert color="orange" role="status">
              {words('planStale')}
            </Alert>
          )}
          <Text fw={600}>{words('mergeMoves', { count: totalMovableRows })}</Text>
          <Tables tables={tables} />
          {verdict === 'too_large' && <Alert color="red">{words('tooLarge')}</Alert>}
          <Notes warnings={warnings} blockers={blockers} />
          {verdict === 'ok' && (
            <ConfirmButton
              // A new plan has to be looked at before it is confirmed.
              key={planToken}
              label={words('mergeConfirm')}
              title={words('mergeInto', merged)}
              needs="POST /orgs/organizations/{id}/merge"
              name={name}
              orgId={null}
              color="red"
              ms="auto"
              changes={['organizations', 'merge']}
              act={() => begin(planToken)}
              onDone={({ jobId }) => void navigate({ search: { survivor: survivorId, run: jobId } })}
            >
              {words('mergeUndo')}
            </ConfirmButton>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

function Run({ runId }: { readonly runId: string }) {
  const words = useTranslations('organizations');
  return (
    <QueryView query={useQuery(mergeRunQuery(runId))}>
      {({ state, progress, survivorId, survivorName, error }) => (
        <Stack className="gh-card" aria-live="polite">
          <Text>{words(`mergeState.${state}`, progress)}</Text>
          <Progress value={(100 * progress.done) / Math.max(1, progress.total)} aria-label={words('merge')} />
          {error && <Text size="sm">{error}</Text>}
          {state === 'completed' && (
            <Button component={Link} to="/orgs/$orgId" params={{ orgId: survivorId } as never} w="fit-content">
              {words('toSurvivor', { name: survivorName })}
            </Button>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

/** Merges one organisation into another: choose, see what happens, confirm by name, follow the progress. */
export function MergePage() {
  const words = useTranslations('organizations');
  const { orgId } = route.useParams();
  const { survivor, run } = route.useSearch();
  const query = useQuery({ ...organizationQuery(orgId), enabled: run === undefined });
  if (run !== undefined) {
    return (
      <Page title={words('merge')}>
        <Run runId={run} />
      </Page>
    );
  }
  return (
    <QueryView query={query}>
      {(organization) => (
        <Page title={words('mergeTitle', { name: organization.name })}>
          <Stack className="gh-card">
            <ChooseSurvivor organization={organization} />
            {survivor && <Steps organization={organization} survivorId={survivor} />}
          </Stack>
        </Page>
      )}
    </QueryView>
  );
}
