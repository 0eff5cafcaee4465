import { Badge, Group, Text } from '@mantine/core';
import type { DataOf } from '@gatehouse/client';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';

type ShadowReport = DataOf<'/pam/rules/{id}/shadow-report', 'get'>['report'];
type Transition = ShadowReport['outcomes'][number];
export type ChangedRequest = ShadowReport['sample'][number];

const NAME_LENGTH = 40;

/** How many decisions would turn from one outcome into another; new grants stand out. */
export function Transitions({ transitions }: { readonly transitions: readonly Transition[] }) {
  const words = useTranslations('rules.effect');
  return (
    <Group gap="xs">
      {transitions.map(({ from, to, count }) => (
        <Badge key={`${from} ${to}`} size="md" color={to === 'auto_approved' ? 'orange' : 'blue'}>
          {words('transition', { from: words(`outcome.${from}`), to: words(`outcome.${to}`) })} {count}
        </Badge>
      ))}
    </Group>
  );
}

/** From one outcome to another; what was denied and would be granted is bold. */
export function Turn({ request: { before, after } }: { readonly request: Pick<ChangedRequest, 'before' | 'after'> }) {
  const words = useTranslations('rules.effect');
  const isGrave = before.outcome === 'denied' && after.outcome === 'auto_approved';
  return (
    <Text size="sm" span fw={isGrave ? 700 : 400}>
      {words('transition', { from: words(`outcome.${before.outcome}`), to: words(`outcome.${after.outcome}`) })}
    </Text>
  );
}

interface ChangeLineProps {
  readonly request: ChangedRequest;
  /** What was asked for; without it, the device leads to the request. */
  readonly name?: string | undefined;
}

/** One request that would be decided otherwise. */
export function ChangeLine({ request, name }: ChangeLineProps) {
  const { requestId, requestedAt, deviceHostname } = request;
  return (
    <Group gap="xs">
      <Text className="gh-hint">
        <Instant at={requestedAt} />
      </Text>
      <Link to="/requests/$requestId" params={{ requestId }}>
        <SafeText value={name ?? deviceHostname} most={NAME_LENGTH} />
      </Link>
      {name && <SafeText value={deviceHostname} most={NAME_LENGTH} />}
      <Turn request={request} />
    </Group>
  );
}
