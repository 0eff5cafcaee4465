import { Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, FormActions, ReasonDialog } from '../../forms/dialogs.tsx';
import { NumberField } from '../../forms/number-field.tsx';
import { Refusal } from '../../forms/refusal.tsx';
import { SafeText } from '../../text/safe-text.tsx';
import { Flags } from '../badges.tsx';
import { type Decision, type ElevationRequest, needsCare, shortNameOf, subjectOf } from '../request.ts';
import '../words.ts';

const MAX_MINUTES = 1440;
const REASON_MAX = 2000;

const SUBJECT_LENGTH = 120;

/** Who asks, where, and for what: the dialog covers the list that says so. */
function Asked({ request }: { readonly request: ElevationRequest }) {
  const words = useTranslations('elevation');
  const { subjectUsername, requestedByName, deviceHostname, orgName } = request;
  const asked = { user: subjectUsername ?? requestedByName ?? '', device: deviceHostname, place: orgName ?? '' };
  const thing = (text: ReactNode) => <SafeText value={[text].flat().join('')} />;
  return (
    <Stack gap={4}>
      <Text size="sm">{words.rich('asked', { ...asked, thing })}</Text>
      <SafeText value={subjectOf(request)} path most={SUBJECT_LENGTH} />
    </Stack>
  );
}

interface DecisionDialogProps {
  readonly request: ElevationRequest;
  readonly opened: boolean;
  readonly saving: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onDecide: (decision: Decision) => void;
}

interface MinutesProps {
  readonly focused: boolean;
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

const Minutes = ({ focused, value, onChange }: MinutesProps) => (
  <NumberField
    data-autofocus={focused || undefined}
    label={useTranslations('elevation')('minutes')}
    min={1}
    max={MAX_MINUTES}
    value={value}
    onChange={onChange}
  />
);

/** Approves with minutes and a reason; the reason is required when the server warns about the request. */
export function ApproveDialog({ request, opened, saving, error, onClose, onDecide }: DecisionDialogProps) {
  const words = useTranslations('elevation');
  const uiWords = useTranslations('ui');
  const [minutes, setMinutes] = useState<number | ''>('');
  const [reason, setReason] = useState('');
  const careful = needsCare(request);
  const decide = () =>
    onDecide({
      decision: 'approve',
      ...(reason.trim() && { reason: reason.trim() }),
      ...(minutes !== '' && { durationMinutes: minutes }),
    });
  return (
    <Dialog title={words('approveTitle', { what: shortNameOf(request) })} opened={opened} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          decide();
        }}
      >
        <Stack>
          <Asked request={request} />
          {careful && <Text size="sm">{words('careText')}</Text>}
          {careful && <Flags flags={request.flags} />}
          <Minutes focused={!careful} value={minutes} onChange={setMinutes} />
          <Textarea
            label={uiWords('reason')}
            required={careful}
            maxLength={REASON_MAX}
            autosize
            minRows={2}
            data-autofocus={careful || undefined}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Refusal error={error} />
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
