import { Select, Stack, Text, Textarea } from '@mantine/core';
import { type BodyOf, ok } from '@gatehouse/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, getQuery } from '../../../api/client.ts';
import { inputLimits, limitOf } from '../../../api/limits.ts';
import { codeOf, fieldErrors, wordsFor } from '../../../api/problem.ts';
import { type JustificationPolicy, useJustificationPolicy } from '../../../ui/elevation/justification.ts';
import { isAboutTicket, useRequestAct } from '../../../ui/elevation/request.ts';
import { TicketField } from '../../../ui/elevation/ticket-field.tsx';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { NumberField } from '../../../ui/forms/inputs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { plainName } from '../../../ui/text/safe-text.tsx';

const DEBOUNCE_MS = 200;
const FOUND = 50;
const ASK = 'POST /pam/elevation-requests';
const REASON_REFUSED = 'justification_required';

const devicesQuery = (search: string) => {
  const query = { limit: FOUND, ...(search && { search }) };
  return getQuery('devices', '/devices', { query, select: ({ data }) => data, placeholderData: keepPreviousData });
};

const ask = (body: BodyOf<'/pam/elevation-requests', 'post'>) => ok(api.POST('/pam/elevation-requests', { body }));

interface DeviceFieldProps {
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (id: string | null, orgId: string | null) => void;
}

/** Searches for the device on the server. */
function DeviceField({ value, error, onChange }: DeviceFieldProps) {
  const words = useTranslations('requests.ask');
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS);
  const found = useQuery(devicesQuery(settled)).data ?? [];
  return (
    <Select
      label={words('device')}
      required
      searchable
      data-autofocus
      data={found.map(({ id, hostname, orgName }) => ({
        value: id,
        label: [plainName(hostname), orgName].filter(Boolean).join(' · '),
      }))}
      value={value}
      error={error}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id, found.find((device) => device.id === id)?.orgId ?? null)}
    />
  );
}

interface Wish {
  readonly deviceId: string | null;
  /** The organisation of the device. */
  readonly orgId: string | null;
  readonly reason: string;
  readonly ticket: string;
  readonly minutes: number | '';
}

interface WishFieldsProps {
  readonly wish: Wish;
  readonly error: unknown;
  readonly onChange: (wish: Wish) => void;
}

/** What the server found wrong, by the field. */
const faultsOf = (error: unknown): Readonly<Record<string, string>> => ({
  ...fieldErrors(error),
  ...(codeOf(error) === REASON_REFUSED && { reason: wordsFor(error) }),
});

/** What the organisation asks of a reason, beyond that there is one. */
function useReasonTerms(policy: JustificationPolicy | undefined): string | undefined {
  const words = useTranslations('requests.ask');
  if (policy?.reason.mode !== 'required' || policy.reason.minLetters < 2) return undefined;
  return words('reasonTerms', { letters: policy.reason.minLetters });
}

function WishFields({ wish, error, onChange }: WishFieldsProps) {
  const words = useTranslations('requests.ask');
  const policy = useJustificationPolicy(wish.orgId);
  const ticketMode = policy?.ticket.mode ?? 'off';
  const errors = faultsOf(error);
  return (
    <>
      <DeviceField
        value={wish.deviceId}
        error={errors['deviceId']}
        onChange={(deviceId, orgId) => onChange({ ...wish, deviceId, orgId })}
      />
      <Textarea
        label={words('reason')}
        description={useReasonTerms(policy)}
        autosize
        minRows={2}
        {...inputLimits(ASK, 'reason')}
        value={wish.reason}
        error={errors['reason']}
        onChange={({ currentTarget }) => onChange({ ...wish, reason: currentTarget.value })}
      />
      {(ticketMode !== 'off' || wish.ticket !== '' || isAboutTicket(error)) && (
        <TicketField
          value={wish.ticket}
          error={error}
          policy={policy}
          required={ticketMode === 'required'}
          onChange={(ticket) => onChange({ ...wish, ticket })}
        />
      )}
      <NumberField
        label={words('minutes')}
        description={words('minutesText')}
        min={1}
        max={limitOf(ASK, 'durationMinutes').maximum}
        value={wish.minutes}
        error={errors['durationMinutes']}
        onChange={(minutes) => onChange({ ...wish, minutes })}
      />
    </>
  );
}

/** Asks for administrator rights of one's own on a device; another person decides, or a rule. */
export function AskDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useTranslations('requests.ask');
  const navigate = useNavigate();
  const [wish, setWish] = useState<Wish>({ deviceId: null, orgId: null, reason: '', ticket: '', minutes: '' });
  const act = useRequestAct(ask);
  const { deviceId, minutes } = wish;
  const reason = wish.reason.trim();
  const ticket = wish.ticket.trim();
  const isAtField = isAboutTicket(act.error) || codeOf(act.error) === REASON_REFUSED;
  const submit = () => {
    const body = {
      deviceId: deviceId ?? '',
      reason,
      ...(ticket && { ticket }),
      ...(minutes !== '' && { durationMinutes: minutes }),
    };
    const onSuccess = ({ id }: { readonly id: string }) =>
      void navigate({ to: '/requests/$requestId', params: { requestId: id } });
    act.mutate(body, { onSuccess });
  };
  return (
    <Dialog title={words('title')} opened onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <Text size="sm">{words('text')}</Text>
          <WishFields wish={wish} error={act.error} onChange={setWish} />
          <Refusal error={isAtField ? null : act.error} />
          <FormActions
            label={words('ask')}
            saving={act.isPending}
            disabled={deviceId === null || reason === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
