import { ok } from '@gatehouse/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useCan } from '../../api/me.ts';
import { preferences } from '../preferences.ts';

/** One thing that the palette can open. */
export interface Found {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly target: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

const SHOWN = 5;
const MIN_LETTERS = 2;

async function organizations(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/orgs/organizations', { params: { query: { search, limit: SHOWN } }, signal }));
  const { recentOrganizations } = preferences();
  const isRecent = ({ id }: { id: string }) => Number(recentOrganizations.includes(id));
  return data
    .toSorted((one, other) => isRecent(other) - isRecent(one))
    .map(({ id, name }) => ({ id, label: name, target: { to: '/orgs/$orgId', params: { orgId: id } } }));
}

async function sites(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/orgs/sites', { params: { query: { search, limit: SHOWN } }, signal }));
  return data.map(({ id, name, orgId }) => ({
    id,
    label: name,
    target: { to: '/devices', search: { org: orgId, site: id } },
  }));
}

async function devices(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/devices', { params: { query: { search, limit: SHOWN } }, signal }));
  return data.map(({ id, hostname, displayName, orgName, siteName }) => ({
    id,
    label: hostname,
    detail: [displayName, orgName, siteName].filter(Boolean).join(' · '),
    target: { to: '/devices/$deviceId', params: { deviceId: id } },
  }));
}

async function people(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/users', { params: { query: { search, limit: SHOWN } }, signal }));
  return data.map(({ id, name, email }) => ({
    id,
    label: name,
    detail: email,
    target: { to: '/people/$userId', params: { userId: id } },
  }));
}

const KINDS = {
  organizations: { needs: 'GET /orgs/organizations', find: organizations },
  sites: { needs: 'GET /orgs/sites', find: sites },
  devices: { needs: 'GET /devices', find: devices },
  people: { needs: 'GET /users', find: people },
} as const;
export type Kind = keyof typeof KINDS;

/** What the server finds of one kind; nothing for a single letter, and nothing that one may not read. */
export function useFound(kind: Kind, search: string): readonly Found[] {
  const { needs, find } = KINDS[kind];
  const isAsked = useCan()(needs) && search.length >= MIN_LETTERS;
  const query = useQuery({
    queryKey: [kind, 'palette', search],
    queryFn: ({ signal }) => find(search, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return isAsked ? (query.data ?? []) : [];
}
