import { Button, Checkbox, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../../api/browser.ts';
import { type Flag, Flags } from '../../../ui/elevation/badges.tsx';
import { type ElevationRequest, shortNameOf, subjectOf } from '../../../ui/elevation/request.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Countdown } from '../../../ui/text/time.tsx';
import type { QueueRow } from '../model.ts';
import { type ProblemOf, useApprovable } from './approvable.ts';
import type { Verb } from './bulk-bar.tsx';

export const waitingOf = (rows: readonly QueueRow[]): readonly ElevationRequest[] =>
  rows.filter(({ settledAt }) => settledAt === null).map(({ request }) => request);

const countOf = (values: readonly (string | null)[]): number => new Set(values.map((one) => one?.toLowerCase())).size;

/** How far the requests reach, and what the server warns of in any of them. */
function Spread({ requests }: { readonly requests: readonly ElevationRequest[] }) {
  const words = useTranslations('approvals');
  const elevationWords = useTranslations('elevation');
  const flags = [...new Set(requests.flatMap((request): Flag[] => request.flags))];
  const votes = Math.max(...requests.map(({ votesRequired }) => votesRequired));
  const people = requests.map(({ subjectUsername, requestedByName }) => subjectUsername ?? requestedByName);
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {words('spread', { devices: countOf(requests.map(({ deviceId }) => deviceId)), people: countOf(people) })}
      </Text>
      {votes > 1 && <Text className="gh-hint">{elevationWords('votesRequired', { count: votes })}</Text>}
      <Flags flags={flags} />
    </Group>
  );
}

interface DecideAllProps {
  readonly requests: readonly ElevationRequest[];
  readonly problemOf: ProblemOf;
  readonly onDecide: (verb: Verb) => void;
}

/** Opens the decision on all; requests with a warning are approved one by one only, and none is approved twice. */
function DecideAll({ requests, problemOf, onDecide }: DecideAllProps) {
  const words = useTranslations('approvals');
  const online = useOnline();
  const { approvable, whyNone } = useApprovable(requests, problemOf);
  return (
    <Stack gap={4} align="flex-end" className="gh-decide">
      <Group gap={6} wrap="nowrap">
        <Button size="xs" variant="default" disabled={!online} onClick={() => onDecide('deny')}>
          {words('denyAll', { count: requests.length })}
        </Button>
        <Button size="xs" disabled={!online || whyNone !== null} onClick={() => onDecide('approve')}>
          {words('approveAll', { count: approvable.length })}
        </Button>
      </Group>
      {whyNone && (
        <Text size="xs" c="dimmed" maw={280} ta="end">
          {whyNone}
        </Text>
      )}
    </Stack>
  );
}

interface SelectAllProps {
  readonly what: string;
  readonly chosen: number;
  readonly of: number;
  readonly onSelect: () => void;
}

const SelectAll = ({ what, chosen, of, onSelect }: SelectAllProps) => (
  <Checkbox
    checked={chosen > 0 && chosen === of}
    indeterminate={chosen > 0 && chosen < of}
    disabled={of === 0}
    onChange={onSelect}
    aria-label={useTranslations('approvals')('selectAll', { what })}
    mt={4}
  />
);

interface QueueGroupProps {
  readonly id: string;
  readonly rows: readonly [QueueRow, ...QueueRow[]];
  readonly opened: boolean;
  readonly current: boolean;
  readonly selected: ReadonlySet<string>;
  readonly problemOf: ProblemOf;
  readonly onOpen: () => void;
  /** These are absent for those who may not decide. */
  readonly onSelect?: (() => void) | undefined;
  readonly onDecide?: ((verb: Verb) => void) | undefined;
  readonly onFocus: () => void;
}

/** Identical requests in one row, which opens; what is decided is what waits of them on screen. */
export function QueueGroup({ id, rows, opened, current, selected, problemOf, ...on }: QueueGroupProps) {
  const words = useTranslations('approvals');
  const flowWords = useTranslations('elevation.flow');
  const waiting = waitingOf(rows);
  const shown = waiting.length > 0 ? waiting : rows.map(({ request }) => request);
  const { request } = rows[0];
  const what = subjectOf(request) ? shortNameOf(request) : flowWords(request.flowType);
  const chosen = waiting.filter((one) => selected.has(one.id)).length;
  const [firstToExpire] = waiting.flatMap(({ pendingUntil }) => pendingUntil ?? []).sort();
  return (
    <li
      className="gh-queue-row"
      data-request={id}
      data-settled={waiting.length === 0 || undefined}
      data-current={current || undefined}
      onFocus={on.onFocus}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start" className="gh-queue-what">
        {on.onSelect && <SelectAll what={what} chosen={chosen} of={waiting.length} onSelect={on.onSelect} />}
        <Stack gap={4} miw={0}>
          <Text size="sm" fw={500}>
            {request.orgName}
          </Text>
          <UnstyledButton data-open aria-expanded={opened} onClick={on.onOpen} fw={650}>
            {words('identical', { count: shown.length })} <SafeText value={what} most={60} fw={650} size="md" />
          </UnstyledButton>
          <Spread requests={shown} />
        </Stack>
      </Group>
      <Group gap="sm" wrap="nowrap" justify="flex-end">
        {firstToExpire && <Countdown until={firstToExpire} lead />}
        {on.onDecide && waiting.length > 0 && (
          <DecideAll requests={waiting} {...{ problemOf }} onDecide={on.onDecide} />
        )}
      </Group>
    </li>
  );
}
