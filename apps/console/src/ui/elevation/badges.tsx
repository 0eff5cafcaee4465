import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '../icons.tsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { plainName, SafeText } from '../text/safe-text.tsx';
import { Countdown, Instant } from '../text/time.tsx';
import { type ElevationRequest, subjectOf } from './request.ts';
import './words.ts';

export type Flag = 'unsigned' | 'user_writable_path' | 'first_seen' | 'suspicious_text' | 'high_tier';
export type Status = 'pending' | 'approved' | 'auto_approved' | 'denied' | 'expired' | 'revoked' | 'actuating';

/** The warnings that the server computed about a request. */
export function Flags({ flags }: { readonly flags: readonly Flag[] }) {
  const words = useTranslations('elevation.flags');
  if (flags.length === 0) return null;
  return (
    <Group gap={4} component="span" display="inline-flex">
      {flags.map((flag) => (
        <Badge
          key={flag}
          color={flag === 'suspicious_text' ? 'red' : 'orange'}
          className="gh-flag"
          leftSection={<IconAlertTriangle size={12} aria-hidden />}
        >
          {words(flag)}
        </Badge>
      ))}
    </Group>
  );
}

const COLORS: Readonly<Record<Status, string>> = {
  pending: 'yellow',
  approved: 'green',
  auto_approved: 'teal',
  denied: 'red',
  expired: 'gray',
  revoked: 'gray',
  actuating: 'blue',
};

/** The state of a request, in words and colour. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const words = useTranslations('elevation.status');
  return (
    <Badge color={COLORS[status]} data-status={status}>
      {words(status)}
    </Badge>
  );
}

/** Words for why a grant was held back, also for a code that this console does not know yet. */
export function useHeldWords(): (code: string) => string {
  const words = useTranslations('elevation.held');
  return (code) => (words.has(code as never) ? words(code as never) : code.replaceAll('_', ' '));
}

/** The ticket of a request, and why it waits although a rule would grant it. */
export function RequestNotes({ request }: { readonly request: ElevationRequest }) {
  const { ticket, held, status, votesRequired } = request;
  const words = useTranslations('elevation');
  const heldWords = useHeldWords();
  const thing = (text: ReactNode) => <SafeText value={[text].flat().join('')} />;
  return (
    <>
      {ticket && <Text size="sm">{words.rich('ticketIs', { ticket, thing })}</Text>}
      {held && status === 'pending' && <Text className="gh-hint">{words('heldBack', { why: heldWords(held) })}</Text>}
      {votesRequired > 1 && <Text className="gh-hint">{words('votesRequired', { count: votesRequired })}</Text>}
    </>
  );
}

const SUBJECT_LENGTH = 120;

/** When an elevation ends, or a request expires. */
export function End({ request: { expiresAt, pendingUntil, status, siteId } }: { readonly request: ElevationRequest }) {
  const words = useTranslations('elevation');
  if (!expiresAt) return status === 'pending' && pendingUntil && <Countdown until={pendingUntil} lead />;
  return (
    <Text size="sm" c="dimmed">
      {words('until')} <Instant at={expiresAt} siteId={siteId} />
    </Text>
  );
}

/** Who asks, where, for what and until when: a dialog covers the list that says so. */
export function Asked({ request }: { readonly request: ElevationRequest }) {
  const words = useTranslations('elevation');
  const { subjectUsername, requestedByName, deviceHostname, orgName, reason } = request;
  const asked = {
    user: subjectUsername ?? requestedByName ?? '',
    device: plainName(deviceHostname),
    place: orgName ?? '',
  };
  const thing = (text: ReactNode) => <SafeText value={[text].flat().join('')} />;
  return (
    <Stack gap={4}>
      <Text size="sm">{words.rich('asked', { ...asked, thing })}</Text>
      <SafeText value={subjectOf(request)} path most={SUBJECT_LENGTH} />
      <End request={request} />
      {reason && <Text size="sm">“{reason}”</Text>}
    </Stack>
  );
}
