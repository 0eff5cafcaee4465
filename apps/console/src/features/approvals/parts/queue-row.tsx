import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Flags, RequestNotes } from '../../../ui/elevation/badges.tsx';
import { Taking } from '../../../ui/elevation/taking.tsx';
import { fileNameOf, plainName, SafeText } from '../../../ui/text/safe-text.tsx';
import { Countdown, Instant } from '../../../ui/text/time.tsx';
import { DecisionButtons } from '../../../ui/elevation/decide/decision-buttons.tsx';
import type { Origin } from '../../../ui/elevation/lists/origin.ts';
import { shortNameOf, subjectOf } from '../../../ui/elevation/request.ts';
import type { QueueRow } from '../model.ts';
import { Ending } from './ending.tsx';
import '../../../ui/elevation/words.ts';

const PATH_LENGTH = 72;

interface QueueRowViewProps {
  readonly row: QueueRow;
  readonly origin: Origin;
  readonly selected: boolean;
  readonly current: boolean;
  /** It stands below the row of its group. */
  readonly member: boolean;
  readonly asked: 'approve' | 'deny' | null;
  readonly onAnswered: () => void;
  /** Absent for those who may not decide. */
  readonly onSelect?: (() => void) | undefined;
  readonly onFocus: () => void;
  readonly onDecided: () => void;
}

function Subject({ row: { request } }: { readonly row: QueueRow }) {
  const words = useTranslations('elevation.flow');
  const subject = subjectOf(request);
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <SafeText value={subject ? fileNameOf(subject) : words(request.flowType)} fw={650} most={60} size="md" />
        {request.targetExecutableSigner && <SafeText value={request.targetExecutableSigner} most={40} />}
        <Flags flags={request.flags} />
      </Group>
      {subject && request.flowType === 'uac_intercept' && <SafeText value={subject} path most={PATH_LENGTH} />}
      {request.reason && <Text size="sm">“{request.reason}”</Text>}
      <RequestNotes request={request} />
    </Stack>
  );
}

/** The place: organisation, site and device, and the person who asks. */
function Place({ row: { request, settledAt } }: { readonly row: QueueRow }) {
  const words = useTranslations('approvals');
  const { orgName, siteName, deviceId, deviceHostname, subjectUsername, requestedByName } = request;
  return (
    <Group gap={6} mih={26}>
      <Text size="sm" fw={500}>
        {[orgName, siteName].filter(Boolean).join(' ▸ ')}
      </Text>
      <Link
        to="/approvals"
        search={((before: object) => ({ ...before, page: undefined, device: deviceId })) as never}
        className="gh-plain-link"
        title={words('onlyDevice', { device: plainName(deviceHostname) })}
      >
        <SafeText value={deviceHostname} most={40} />
      </Link>
      <SafeText value={subjectUsername ?? requestedByName ?? ''} most={40} />
      <Text className="gh-hint">
        <Instant at={request.requestedAt} siteId={request.siteId} />
      </Text>
      {settledAt === null && <Taking request={request} />}
    </Group>
  );
}

/** One request of the queue. */
export function QueueRowView({ row, origin, selected, current, member, asked, ...on }: QueueRowViewProps) {
  const words = useTranslations('approvals');
  const { request, settledAt } = row;
  const waits = settledAt === null;
  return (
    <li
      className="gh-queue-row"
      data-request={request.id}
      data-settled={!waits || undefined}
      data-current={current || undefined}
      data-member={member || undefined}
      onFocus={on.onFocus}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start" className="gh-queue-what">
        {on.onSelect && (
          <Checkbox
            checked={selected}
            disabled={!waits}
            onChange={on.onSelect}
            aria-label={words('select', { what: shortNameOf(request) })}
            mt={4}
          />
        )}
        <Stack gap={4} miw={0}>
          <Place row={row} />
          <Link
            to="/requests/$requestId"
            params={{ requestId: request.id }}
            state={origin}
            className="gh-plain-link"
            data-open
          >
            <Subject row={row} />
          </Link>
        </Stack>
      </Group>
      <Group gap="sm" wrap="nowrap" justify="flex-end">
        {waits && request.pendingUntil && <Countdown until={request.pendingUntil} lead />}
        {waits ? (
          <DecisionButtons request={request} asked={asked} onAnswered={on.onAnswered} onDecided={on.onDecided} />
        ) : (
          <Ending id={request.id} />
        )}
      </Group>
    </li>
  );
}
