import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { type Operation } from '../../api/generated/access.ts';
import { useCan, useMe } from '../../api/me.ts';
import { codeOf, problemOf } from '../../api/problem.ts';
import { Page, Tabs } from '../page.tsx';
import { ErrorView, LoadingView, QueryView } from '../state-views.tsx';
import { isFrozen, mergeOfQuery, type Organization, organizationQuery, survivorQuery } from './queries.ts';
import './words.ts';

const TABS = [
  { name: 'overview', to: '/orgs/$orgId', needs: 'GET /orgs' },
  { name: 'devices', to: '/devices', needs: 'GET /devices' },
  { name: 'people', to: '/people', needs: 'GET /users' },
  { name: 'rules', to: '/rules', needs: 'GET /pam/rules' },
  { name: 'signOn', to: '/sign-on', needs: 'POST /sso/providers' },
  { name: 'contacts', to: '/orgs/$orgId/contacts', needs: 'GET /orgs/organizations/{id}/contacts' },
  { name: 'audit', to: '/audit', needs: 'GET /audit-logs' },
] as const satisfies readonly { name: string; to: string; needs: Operation }[];

/** The parts of an organisation: its own screens, and the lists across organisations narrowed to it. */
function Parts({ organization: { id, name } }: { readonly organization: Organization }) {
  const words = useTranslations('place');
  const can = useCan();
  return (
    <Tabs label={words('parts', { name })}>
      {TABS.filter(({ needs }) => can(needs)).map(({ name: tab, to }) =>
        to.startsWith('/orgs/') ? (
          <Link
            key={tab}
            to={to as '/orgs/$orgId'}
            params={{ orgId: id }}
            activeOptions={{ exact: tab === 'overview' }}
          >
            {words(tab)}
          </Link>
        ) : (
          <Link key={tab} to={to as '/devices'} search={{ org: id }}>
            {words(tab)}
          </Link>
        ),
      )}
    </Tabs>
  );
}

function Merging({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('place');
  const run = useQuery(mergeOfQuery(orgId)).data;
  if (!run) return words('merging');
  const percent = run.progress.done / Math.max(1, run.progress.total);
  return (
    <Group gap="sm">
      {words('mergingInto', { name: run.survivorName, percent })}
      <Link to="/orgs/$orgId/merge" params={{ orgId }} search={{ run: run.jobId }}>
        {words('toMerge')}
      </Link>
    </Group>
  );
}

function Archived({ purgeAt }: Pick<Organization, 'purgeAt'>) {
  const words = useTranslations('place');
  const format = useFormatter();
  if (!purgeAt) return words('archived');
  return words('archivedUntil', { date: format.dateTime(new Date(purgeAt), 'day') });
}

/** Says why nothing in an organisation can change. */
function FrozenBanner({ organization }: { readonly organization: Organization }) {
  const words = useTranslations('place');
  if (!isFrozen(organization)) return null;
  return (
    <Alert color="orange" role="status">
      {organization.status === 'archived' && <Archived purgeAt={organization.purgeAt} />}
      {organization.status === 'merging' && <Merging orgId={organization.id} />}
      {organization.status === 'purging' && words('purging')}
    </Alert>
  );
}

interface OrganizationPageProps {
  readonly orgId: string;
  /** The title of the screen; the name of the organisation by default. */
  readonly title?: string;
  readonly aside?: (organization: Organization) => ReactNode;
  readonly actions?: (organization: Organization, frozen: boolean) => ReactNode;
  readonly children: (organization: Organization, frozen: boolean) => ReactNode;
}

interface GoneProps {
  readonly orgId: string;
  readonly error: unknown;
}

/** In place of an organisation that is not there: the one that it was merged into, if it was. */
function Gone({ orgId, error }: GoneProps) {
  const { data: survivorId, isLoading } = useQuery(survivorQuery(orgId));
  if (isLoading) return <LoadingView />;
  if (survivorId) return <Navigate to="/orgs/$orgId" params={{ orgId: survivorId }} replace />;
  return <ErrorView error={error} />;
}

/** What is shown of an organisation once it is there; who may not read organisations sees it at once. */
export function WithOrganization({ orgId, children }: Pick<GoneProps, 'orgId'> & { readonly children: ReactNode }) {
  const { scope } = useMe();
  const { isPending, error } = useQuery(organizationQuery(orgId, scope));
  if (isPending) return <LoadingView />;
  return error && codeOf(error) !== 'permission_denied' ? <ErrorView error={error} /> : children;
}

/** A screen below one organisation: its tabs, and the banner of an organisation in which nothing can change. */
export function OrganizationScreen({ orgId, title, aside, actions, children }: OrganizationPageProps) {
  const { scope } = useMe();
  const query = useQuery(organizationQuery(orgId, scope));
  if (query.isError && problemOf(query.error)?.status === 404) return <Gone orgId={orgId} error={query.error} />;
  return (
    <QueryView query={query}>
      {(organization) => {
        const frozen = isFrozen(organization);
        return (
          <Page
            title={title ? `${title} · ${organization.name}` : organization.name}
            aside={aside?.(organization)}
            actions={actions?.(organization, frozen)}
          >
            <Parts organization={organization} />
            <FrozenBanner organization={organization} />
            {children(organization, frozen)}
          </Page>
        );
      }}
    </QueryView>
  );
}
