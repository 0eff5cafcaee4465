import { Alert, Group, Text } from '@mantine/core';
import type { DataOf } from '@gatehouse/client';
import { IconSnowflake } from '../icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { getQuery } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { strongestFirst } from './freeze.ts';
import { clipped } from '../text/safe-text.tsx';
import './words.ts';

export const organizationNameQuery = (id: string) =>
  getQuery('organizations', '/orgs/organizations/{id}', { path: { id }, select: ({ name }) => name });

/** The organisation of a frozen site or device, because several organisations have a site of the same name. */
export function FrozenIn({ freeze: { level, orgId } }: { readonly freeze: Freeze }) {
  const { scope } = useMe();
  const isAsked = orgId !== null && level !== 'organization' && scope !== 'organization';
  const name = useQuery({ ...organizationNameQuery(orgId ?? ''), enabled: isAsked }).data;
  return isAsked && name ? ` (${name})` : null;
}

type Freeze = DataOf<'/pam/freezes', 'get'>['freezes'][number];

const SHOWN = 3;
const REASON_LENGTH = 120;

const inForceQuery = (org: string | undefined) =>
  getQuery('freezes', '/pam/freezes', {
    query: { orgId: org, active: 'true' },
    select: ({ freezes }) => freezes,
    staleTime: 0,
  });

function Line({ freeze }: { readonly freeze: Freeze }) {
  const words = useTranslations('freezes');
  const format = useFormatter();
  const { level, targetName, targetId, mode, reason, expiresAt } = freeze;
  const until = expiresAt
    ? words('banner.until', { time: format.dateTime(new Date(expiresAt), 'moment') })
    : words('banner.untilLifted');
  return (
    <Text size="sm">
      <strong>
        {words(`levels.${level}`)} {targetName ?? targetId}
        <FrozenIn freeze={freeze} />
      </strong>
      {' – '}
      {words(`banner.${mode}`, { until })} “{clipped(reason, REASON_LENGTH)}”
    </Text>
  );
}

function useInForce(org: string | undefined): readonly Freeze[] {
  return useQuery(inForceQuery(org)).data ?? [];
}

/** The same in few words, beside a title: it moves no row below. */
export function FreezeMark({ org }: { readonly org: string | undefined }) {
  const words = useTranslations('freezes.banner');
  const { length } = useInForce(org);
  if (length === 0) return null;
  return (
    <Link to="/freezes" search={{ ...(org && { org }), state: 'active' }} className="gh-freeze-mark">
      <IconSnowflake size={16} aria-hidden />
      {words('title', { count: length })}
    </Link>
  );
}

/** Says that a freeze holds in the place that is looked at, why, and until when. */
export function FreezeBanner({ org }: { readonly org: string | undefined }) {
  const words = useTranslations('freezes.banner');
  const freezes = useInForce(org);
  if (freezes.length === 0) return null;
  const title = words('title', { count: freezes.length });
  return (
    <Alert
      color="red"
      variant="light"
      role="status"
      className="gh-banner"
      icon={<IconSnowflake aria-hidden />}
      title={title}
    >
      {[...freezes]
        .sort(strongestFirst)
        .slice(0, SHOWN)
        .map((freeze) => (
          <Line key={freeze.id} freeze={freeze} />
        ))}
      <Group mt={4}>
        <Link to="/freezes" search={{ ...(org && { org }), state: 'active' }}>
          {words('all')}
        </Link>
      </Group>
    </Alert>
  );
}
