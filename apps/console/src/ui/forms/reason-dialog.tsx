import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, type DialogProps, FormActions } from './dialogs.tsx';
import { Refusal } from './refusal.tsx';

interface ReasonDialogProps extends Omit<DialogProps, 'children'> {
  readonly action: string;
  readonly text?: string;
  /** What the act is about, above the reason. */
  readonly about?: ReactNode;
  readonly required?: boolean;
  /** Reasons that one press chooses. */
  readonly presets?: readonly string[] | undefined;
  /** Who will read the reason. */
  readonly note?: string | undefined;
  readonly color?: string;
  readonly saving: boolean;
  readonly error: unknown;
  readonly onConfirm: (reason: string | undefined) => void;
}

const REASON_MAX = 2000;

interface ReasonFieldProps extends Pick<ReasonDialogProps, 'required' | 'presets' | 'note'> {
  readonly value: string;
  readonly focused?: boolean;
  readonly onChange: (value: string) => void;
}

export function ReasonField({ value, required, presets = [], note, focused = true, onChange }: ReasonFieldProps) {
  const words = useTranslations('ui');
  return (
    <>
      <Textarea
        label={words('reason')}
        description={note}
        required={required}
        maxLength={REASON_MAX}
        autosize
        minRows={2}
        data-autofocus={focused || undefined}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Presets
        label={words('reason')}
        presets={presets.map((one) => ({ value: one, label: one }))}
        {...{ value, onChange }}
      />
    </>
  );
}

interface PresetsProps<T> {
  readonly label: string;
  readonly presets: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** Values of a field that one press chooses. */
export const Presets = <T extends string | number>({ label, presets, value, onChange }: PresetsProps<T>) =>
  presets.length > 0 && (
    <Group gap={6} role="group" aria-label={label} className="gh-presets">
      {presets.map((one) => (
        <Button
          key={one.value}
          size="compact-sm"
          maw="100%"
          variant={one.value === value ? 'light' : 'default'}
          aria-pressed={one.value === value}
          onClick={() => onChange(one.value)}
        >
          {one.label}
        </Button>
      ))}
    </Group>
  );

/** Asks for a reason before an act. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { action, text, about, required = false, presets, note, color, saving, error, onConfirm, ...dialog } = props;
  const [reason, setReason] = useState('');
  return (
    <Dialog {...dialog}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm(reason.trim() || undefined);
        }}
      >
        <Stack>
          {text && <Text size="sm">{text}</Text>}
          {about}
          <ReasonField {...{ required, presets, note }} value={reason} onChange={setReason} />
          <Refusal error={error} fields={[]} />
          <FormActions label={action} saving={saving} color={color ?? ''} onCancel={dialog.onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
