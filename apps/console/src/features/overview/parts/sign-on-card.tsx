import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/clock.ts';
import { useCan } from '../../../api/me.ts';
import { type Attention, attentionOf, type Expiry, SOON_DAYS } from '../model.ts';
import { providersQuery } from '../queries.ts';

const route = getRouteApi('/');
const SHOWN = 5;

/** The days that are left of a certificate or a secret; a short time stands out, and is told in words. */
function Days({ expiry: { kind, days } }: { readonly expiry: Expiry }) {
  const words = useTranslations('overview.signOn');
  if (days > SOON_DAYS)
    return (
      <Text size="sm" c="dimmed">
        {words(`${kind}.days`, { days })}
      </Text>
    );
  return (
    <Badge variant="light" tt="none" color={days < 0 ? 'red' : 'orange'} className="gh-status">
      {days < 0 ? words(`${kind}.over`) : words(`${kind}.days`, { days })}
    </Badge>
  );
}

function Row({ attention: { provider, expiry } }: { readonly attention: Attention }) {
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <Link to="/sign-on/$providerId" params={{ providerId: provider.id }}>
          {provider.name}
        </Link>
        {expiry && <Days expiry={expiry} />}
      </Group>
      {provider.warnings.map(({ code, detail }) => (
        <Text key={code} size="sm">
          {detail}
        </Text>
      ))}
    </li>
  );
}

/** Sign-on providers with warnings, and how long their certificates and client secrets last. */
export function SignOnCard() {
  const words = useTranslations('overview.signOn');
  const search = route.useSearch();
  const mayRead = useCan()('POST /sso/providers');
  const { data } = useQuery({ ...providersQuery(search), enabled: mayRead });
  const attention = attentionOf(data ?? [], serverNow());
  if (attention.length === 0) return null;
  return (
    <Stack component="section" className="gh-card" aria-labelledby="sign-on-attention" gap="xs">
      <Title order={2} id="sign-on-attention">
        {words('title')}
      </Title>
      <ul className="gh-plain-list">
        {attention.slice(0, SHOWN).map((one) => (
          <Row key={one.provider.id} attention={one} />
        ))}
      </ul>
      {attention.length > SHOWN && <Link to="/sign-on">{words('all', { count: attention.length })}</Link>}
    </Stack>
  );
}
