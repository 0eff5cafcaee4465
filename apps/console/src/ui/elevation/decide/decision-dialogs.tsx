import { Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Dialog, FormActions, ReasonDialog } from '../../forms/dialogs.tsx';
import { NumberField } from '../../forms/inputs.tsx';
import { Refusal } from '../../forms/refusal.tsx';
import { Asked, Flags } from '../badges.tsx';
import { configQuery, useJustificationPolicy } from '../justification.ts';
import { type Decision, type ElevationRequest, isAboutTicket, needsCare, shortNameOf } from '../request.ts';
import { TicketField } from '../ticket-field.tsx';
import '../words.ts';

const MAX_MINUTES = 1440;
const REASON_MAX = 2000;

interface DecisionDialogProps {
  readonly request: ElevationRequest;
  readonly opened: boolean;
  readonly saving: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onDecide: (decision: Decision) => void;
}

interface MinutesProps {
  readonly orgId: string | null;
  readonly focused: boolean;
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

function Minutes({ orgId, focused, value, onChange }: MinutesProps) {
  const words = useTranslations('elevation');
  const mayRead = useCan()('GET /pam/config');
  const config = useQuery({ ...configQuery(orgId ?? ''), enabled: mayRead && orgId !== null }).data;
  const usual = config?.defaultApprovalMinutes;
  return (
    <NumberField
      data-autofocus={focused || undefined}
      label={usual === undefined ? words('duration') : words('durationUsual', { usual })}
      description={words('durationMost', { most: MAX_MINUTES })}
      min={1}
      max={MAX_MINUTES}
      value={value}
      onChange={onChange}
    />
  );
}

interface ReasonProps {
  readonly careful: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Reason = ({ careful, value, onChange }: ReasonProps) => (
  <Textarea
    label={useTranslations('ui')('reason')}
    required={careful}
    maxLength={REASON_MAX}
    autosize
    minRows={2}
    data-autofocus={careful || undefined}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

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
const reasonOf = (sent: Decision | undefined): string => sent?.reason ?? '';

const approvalOf = (reason: string, ticket: string, minutes: number | ''): Decision => ({
  decision: 'approve',
  ...(reason && { reason }),
  ...(ticket && { ticket }),
  ...(minutes !== '' && { durationMinutes: minutes }),
});

/** Approves with minutes and a reason; the reason is required when the server warns about the request. */
export function ApproveDialog(props: ApproveDialogProps) {
  const { request, opened, saving, error, sent, onClose, onDecide } = props;
  const words = useTranslations('elevation');
  const { policy, ticket, setTicket, isRefused, isAsked } = useTicket(props);
  const [minutes, setMinutes] = useState<number | ''>(() => minutesOf(sent));
  const [reason, setReason] = useState(() => reasonOf(sent));
  const careful = needsCare(request);
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
          <Minutes orgId={request.orgId} focused={!careful} value={minutes} onChange={setMinutes} />
          <Reason careful={careful} value={reason} onChange={setReason} />
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

/** Denies with a reason, which the device's user may read. */
export function DenyDialog({ request, onDecide, ...rest }: DecisionDialogProps) {
  const words = useTranslations('elevation');
  return (
    <ReasonDialog
      {...rest}
      title={words('denyTitle', { what: shortNameOf(request) })}
      action={words('deny')}
      about={<Asked request={request} />}
      color="red"
      onConfirm={(reason) => onDecide({ decision: 'deny', ...(reason && { reason }) })}
    />
  );
}
