import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import { useCan } from '../../../api/me.ts';
import { needsAttention, weekAgo, weekAhead } from '../../../ui/attention.ts';
import { attentionQuery, providersQuery } from '../queries.ts';

const route = getRouteApi('/');
const KINDS = ['expired', 'providers', 'silent', 'rules'] as const;
type Kind = (typeof KINDS)[number];

/** What waits for someone's care, each as a count that opens its list; absent while there is nothing. */
export function Attention() {
  const words = useTranslations('overview.attention');
  const search = route.useSearch();
  const can = useCan();
  const now = serverNow();
  const counts = useQuery(attentionQuery(search, weekAgo(now), weekAhead(now))).data;
  const providers = useQuery({ ...providersQuery(search), enabled: can('POST /sso/providers') }).data ?? [];
  const warned = providers.filter((one) => needsAttention(one, now)).length;
  const found: Readonly<Record<Kind, number>> = { expired: 0, silent: 0, rules: 0, ...counts, providers: warned };
  const lists: Readonly<Record<Kind, Pick<LinkProps, 'to' | 'search'>>> = {
    expired: { to: '/requests', search: { ...search, status: ['expired'], from: weekAgo(now) } },
    providers: { to: '/sign-on', search: { ...search, attention: true } },
    silent: { to: '/devices', search: { ...search, status: 'offline', silent: true } },
    rules: { to: '/rules', search: { ...search, expiring: true } },
  };
  const shown = KINDS.filter((kind) => found[kind] > 0);
  if (shown.length === 0) return null;
  return (
    <Stack component="section" className="gh-card" aria-labelledby="attention" gap="xs">
      <Title order={2} id="attention">
        {words('title')}
      </Title>
      <ul className="gh-plain-list">
        {shown.map((kind) => (
          <li key={kind}>
            <Link {...(lists[kind] as { to: '/requests' })}>{words(kind, { count: found[kind] })}</Link>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
