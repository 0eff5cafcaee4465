import { ok } from '@gatehouse/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import type { Operation } from '../../api/generated/access.ts';
import { useCan, useMe } from '../../api/me.ts';
import { subjectOf } from '../../ui/elevation/request.ts';
import {
  type Icon,
  IconBuilding,
  IconClock,
  IconDevices,
  IconHistory,
  IconKey,
  IconListCheck,
  IconSnowflake,
  IconUsers,
} from '../../ui/icons.tsx';
import type { RecentPage } from '../../ui/page.tsx';
import { fileNameOf, plainName } from '../../ui/text/safe-text.tsx';
import { useOrg } from '../../ui/use-org.tsx';
import { navigationFor } from '../navigation.ts';
import { preferences } from '../preferences.ts';

/** One thing that the palette can open. */
export interface Found {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon: Icon;
  readonly target: Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** The operation whose form opens there. */
  readonly act?: Operation;
}

const SHOWN = 5;
const MIN_LETTERS = 2;

async function organizations(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/orgs/organizations', { params: { query: { search, limit: SHOWN } }, signal }));
  const { recentOrganizations } = preferences();
  const isRecent = ({ id }: { id: string }) => Number(recentOrganizations.includes(id));
  return data
    .toSorted((one, other) => isRecent(other) - isRecent(one))
    .map(({ id, name }) => ({
      id,
      label: name,
      icon: IconBuilding,
      target: { to: '/orgs/$orgId', params: { orgId: id } },
    }));
}

async function sites(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/orgs/sites', { params: { query: { search, limit: SHOWN } }, signal }));
  return data.map(({ id, name, orgId }) => ({
    id,
    label: name,
    icon: IconBuilding,
    target: { to: '/devices', search: { org: orgId, site: id } },
  }));
}

async function devices(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/devices', { params: { query: { search, limit: SHOWN } }, signal }));
  return data.map(({ id, hostname, displayName, orgName, siteName }) => ({
    id,
    label: hostname,
    detail: [displayName, orgName, siteName].filter(Boolean).join(' · '),
    icon: IconDevices,
    target: { to: '/devices/$deviceId', params: { deviceId: id } },
  }));
}

async function people(search: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await ok(api.GET('/users', { params: { query: { search, limit: SHOWN } }, signal }));
  return data.map(({ id, name, email }) => ({
    id,
    label: name,
    detail: email,
    icon: IconUsers,
    target: { to: '/people/$userId', params: { userId: id } },
  }));
}

/** By file, user or host name. */
async function requests(search: string, signal: AbortSignal): Promise<Found[]> {
  const query = { search, limit: SHOWN };
  const { requests: found } = await ok(api.GET('/pam/elevation-requests', { params: { query }, signal }));
  return found.map((request) => ({
    id: request.id,
    label: plainName(fileNameOf(subjectOf(request)) || request.id),
    detail: plainName([request.subjectUsername, request.deviceHostname, request.orgName].filter(Boolean).join(' · ')),
    icon: IconHistory,
    target: { to: '/requests/$requestId', params: { requestId: request.id } },
  }));
}

/** The screens that one may read. */
function useScreens(): readonly Found[] {
  const words = useTranslations('shell.nav');
  const can = useCan();
  return navigationFor(can).map(({ label, to, icon }) => ({
    id: label,
    label: words(label),
    icon,
    target: { to },
  }));
}

interface Act extends Pick<Found, 'icon' | 'target'> {
  readonly id: 'freeze' | 'invite' | 'rule' | 'key' | 'organization' | 'provider';
  readonly act: Operation;
  readonly isAbsent?: boolean;
}

/** What one may begin from anywhere, in the chosen organisation; acts that need one begin where it is chosen. */
function useActs(): readonly Found[] {
  const words = useTranslations('shell.palette.acts');
  const can = useCan();
  const { membership } = useMe();
  const org = useOrg();
  const isConfined = membership.siteIds.length > 0;
  const isWide = membership.orgAccess === 'all' && !isConfined;
  const search = { ...(org && { org }) };
  const acts: readonly Act[] = [
    {
      id: 'freeze',
      icon: IconSnowflake,
      act: 'POST /pam/freezes',
      isAbsent: org === undefined && !isWide,
      target: { to: '/freezes', search },
    },
    { id: 'invite', icon: IconUsers, act: 'POST /users', target: { to: '/people', search } },
    {
      id: 'rule',
      icon: IconListCheck,
      act: 'POST /pam/rules',
      target: org ? { to: '/orgs/$orgId/rules/new', params: { orgId: org } } : { to: '/rules' },
    },
    {
      id: 'key',
      icon: IconKey,
      act: 'POST /enrollment-keys',
      target: org ? { to: '/orgs/$orgId', params: { orgId: org } } : { to: '/orgs' },
    },
    { id: 'organization', icon: IconBuilding, act: 'POST /orgs/organizations', target: { to: '/orgs' } },
    { id: 'provider', icon: IconKey, act: 'POST /sso/providers', target: { to: '/sign-on/new', search } },
  ];
  return acts
    .filter(({ act, isAbsent }) => can(act) && !isAbsent)
    .map(({ id, icon, act, target }) => ({ id: `act ${id}`, label: words(id), icon, act, target }));
}

const seenOf = (recent: readonly RecentPage[]): readonly Found[] =>
  recent.map(({ title, path }) => ({
    id: path,
    label: plainName(title),
    icon: IconClock,
    target: { to: path as '/' },
  }));

const KINDS = {
  organizations: { needs: 'GET /orgs/organizations', find: organizations },
  sites: { needs: 'GET /orgs/sites', find: sites },
  devices: { needs: 'GET /devices', find: devices },
  people: { needs: 'GET /users', find: people },
  requests: { needs: 'GET /pam/elevation-requests', find: requests },
} as const;
type Kind = keyof typeof KINDS;

/** What the server finds of one kind; nothing for a single letter, and nothing that one may not read. */
function useFound(kind: Kind, search: string): readonly Found[] {
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

export interface FoundGroup {
  readonly name: 'recent' | 'acts' | 'screens' | Kind;
  readonly found: readonly Found[];
}

/** What is known here matches what is typed at once; the server is asked for the rest when typing pauses. */
export function useGroups(recent: readonly RecentPage[], typed: string, settled: string): readonly FoundGroup[] {
  const matching = (found: readonly Found[]): readonly Found[] =>
    found.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
  return [
    { name: 'recent', found: matching(seenOf(recent)) },
    { name: 'acts', found: matching(useActs()) },
    { name: 'screens', found: matching(useScreens()) },
    { name: 'organizations', found: useFound('organizations', settled) },
    { name: 'sites', found: useFound('sites', settled) },
    { name: 'devices', found: useFound('devices', settled) },
    { name: 'people', found: useFound('people', settled) },
    { name: 'requests', found: useFound('requests', settled) },
  ];
}
