import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, FormActions } from '../../forms/dialogs.tsx';
import { Presets, ReasonDialog, ReasonField } from '../../forms/reason-dialog.tsx';
import { NumberField } from '../../forms/inputs.tsx';
import { Refusal } from '../../forms/refusal.tsx';
import { Asked, Flags } from '../badges.tsx';
import { useJustificationPolicy, useOpened, useOrgConfig, useReasonHelp } from '../justification.ts';
import { type Decision, type ElevationRequest, isAboutTicket, needsCare, shortNameOf } from '../request.ts';
import { TicketField } from '../ticket-field.tsx';
import '../words.ts';

const MAX_MINUTES = 1440;
/** Besides the organisation's default. */
const PRESET_MINUTES = [15, 60, 240] as const;

interface DecisionDialogProps {
  readonly request: ElevationRequest;
  readonly opened: boolean;
  readonly saving: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onDecide: (decision: Decision) => void;
}

interface MinutesProps {
  /** What the organisation has when none is given; undefined for those who may not read it. */
  readonly usual: number | undefined;
  readonly focused: boolean;
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

function Minutes({ usual, focused, value, onChange }: MinutesProps) {
  const words = useTranslations('elevation');
  const others = PRESET_MINUTES.filter((minutes) => minutes !== usual);
  const presets: { value: number | ''; label: string }[] = others.map((minutes) => ({
    value: minutes,
    label: words(`minutes.${minutes}`),
  }));
  if (usual !== undefined) presets.unshift({ value: '', label: words('minutes.usual', { usual }) });
  return (
    <>
      <NumberField
        data-autofocus={focused || undefined}
        label={usual === undefined ? words('duration') : words('durationUsual', { usual })}
        description={words('durationMost', { most: MAX_MINUTES })}
        min={1}
        max={MAX_MINUTES}
        value={value}
        onChange={onChange}
      />
      <Presets label={words('duration')} {...{ presets, value, onChange }} />
    </>
  );
}

interface ApproveDialogProps extends DecisionDialogProps {
  /** What was sent before the dialog opened: the server asked for a ticket then. */
  readonly sent: Decision | undefined;
}

/** The ticket is asked for where the organisation has tickets, or the server wants one. */
function useTicket({ request, error }: ApproveDialogProps) {
  const policy = useJustificationPolicy(request.orgId);
  const [ticket, setTicket] = useState('');
  const [isWanted, setWanted] = useState(false);
  const isRefused = isAboutTicket(error);
  // The field stays while another ticket is tried.
  if (isRefused && !isWanted) setWanted(true);
  const hasTickets = policy !== undefined && policy.ticket.mode !== 'off';
  const isAsked = isWanted || (hasTickets && request.ticket === null);
  return { policy, ticket, setTicket, isRefused, isAsked };
}

const minutesOf = (sent: Decision | undefined): number | '' => sent?.durationMinutes ?? '';
const approvalOf = (reason: string, ticket: string, minutes: number | ''): Decision => ({
  decision: 'approve',
  ...(reason && { reason }),
  ...(ticket && { ticket }),
  ...(minutes !== '' && { durationMinutes: minutes }),
});

/** Approves with minutes and a reason; the reason is required when the server warns about the request. */
export function ApproveDialog(props: ApproveDialogProps) {
  const { request, saving, error, sent, onClose, onDecide } = props;
  const words = useTranslations('elevation');
  const { policy, ticket, setTicket, isRefused, isAsked } = useTicket(props);
  const usual = useOrgConfig(request.orgId)?.defaultApprovalMinutes;
  const help = useReasonHelp([request], 'approve');
  const [minutes, setMinutes] = useState(minutesOf(sent));
  const [reason, setReason] = useState(sent?.reason ?? '');
  const careful = needsCare(request);
  const opened = useOpened(props.opened, request.orgId);
  return (
    <Dialog title={words('approveTitle', { what: shortNameOf(request) })} opened={opened} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDecide(approvalOf(reason.trim(), ticket.trim(), minutes));
        }}
      >
        <Stack>
          <Asked request={request} />
          {careful && <Text size="sm">{words('careText')}</Text>}
          {careful && <Flags flags={request.flags} />}
          {isAsked && <TicketField value={ticket} error={error} policy={policy} onChange={setTicket} />}
          <Minutes usual={usual} focused={!careful} value={minutes} onChange={setMinutes} />
          <ReasonField {...help} required={careful} focused={careful} value={reason} onChange={setReason} />
          <Refusal error={isRefused ? null : error} />
          <FormActions
            label={words(careful ? 'approveAnyway' : 'approve')}
            saving={saving}
            disabled={careful && reason.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

/** Denies, with a reason if one is given. */
export function DenyDialog({ request, opened, onDecide, ...rest }: DecisionDialogProps) {
  const words = useTranslations('elevation');
  return (
    <ReasonDialog
      {...rest}
      {...useReasonHelp([request], 'deny')}
      opened={useOpened(opened, request.orgId)}
      title={words('denyTitle', { what: shortNameOf(request) })}
      action={words('deny')}
      about={<Asked request={request} />}
      color="red"
      onConfirm={(reason) => onDecide({ decision: 'deny', ...(reason && { reason }) })}
    />
  );
}
