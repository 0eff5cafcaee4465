import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../api/browser.ts';
import { useStepUpRequested } from '../../api/step-up.ts';
import { Refusal } from './refusal.tsx';
import { Overlay } from './unsaved.ts';
import { CopyText } from '../text/copy-text.tsx';
import { useNameOf } from '../use-org.tsx';

export interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The organisation of what the dialog is about, which it names. */
  readonly orgId?: string | null | undefined;
  /** Whether what it shows is lost with it: a press beside it then leaves it open. */
  readonly isOnce?: boolean;
  readonly children: ReactNode;
}

/** React passes events on to the form in which a dialog was opened: without this, that form would be submitted too. */
const keepToDialog = (event: FormEvent): void => event.stopPropagation();

/** Keeps the line of a name that is being read: what appeared later would move the button being pressed. */
const UNKNOWN_YET = '\u00a0';

/**
 * A dialog with a title. While the second factor is asked for above it, Escape cancels that alone, so that nothing
 * typed is lost.
 */
export function Dialog({ title, opened, onClose, orgId, isOnce = false, children }: DialogProps) {
  const organization = useNameOf(opened ? orgId : null);
  const words = useTranslations('ui');
  const isBelow = useStepUpRequested();
  return (
    <Modal
      {...{ title, opened, onClose }}
      centered
      closeOnEscape={!isBelow}
      closeOnClickOutside={!isOnce}
      closeButtonProps={{ 'aria-label': words('close') }}
    >
      <Overlay onClose={onClose} />
      {orgId && (
        <Text size="sm" fw={600} mb="xs">
          {organization ?? UNKNOWN_YET}
        </Text>
      )}
      <div onSubmit={keepToDialog}>{children}</div>
    </Modal>
  );
}

/** White letters on the theme's usual red are too faint to read. */
const DARK_RED = 'red.9';

interface FormActionsProps {
  readonly label: string;
  readonly saving: boolean;
  readonly disabled?: boolean;
  readonly color?: string;
  readonly onCancel: () => void;
}

/** Cancel and the act itself, at the end of a form; the act waits for a network. */
export function FormActions({ label, saving, disabled = false, color, onCancel }: FormActionsProps) {
  const words = useTranslations('ui');
  const online = useOnline();
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {words('cancel')}
      </Button>
      <Button type="submit" loading={saving} disabled={disabled || !online} color={color === 'red' ? DARK_RED : color}>
        {label}
      </Button>
    </Group>
  );
}

interface ConfirmByNameProps extends Omit<DialogProps, 'children'> {
  readonly name: string;
  readonly action: string;
  readonly saving: boolean;
  readonly error: unknown;
  readonly children?: ReactNode;
  readonly onConfirm: () => void;
}

/** An act that cannot be undone: the name of the thing has to be typed. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { name, action, saving, error, children, onConfirm, ...dialog } = props;
  const words = useTranslations('ui');
  const [typed, setTyped] = useState('');
  return (
    <Dialog {...dialog}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <Stack>
          {children}
          <TextInput
            label={words('typeName', { name })}
            value={typed}
            autoComplete="off"
            data-autofocus
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Refusal error={error} fields={[]} />
          <FormActions label={action} color="red" saving={saving} disabled={typed !== name} onCancel={dialog.onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** A secret that is shown once, with a button that copies it. */
export function SecretOnce({ label, secret }: { readonly label: string; readonly secret: string }) {
  const words = useTranslations('ui');
  return (
    <Alert variant="light" color="yellow" title={label} classNames={{ title: 'gh-status' }}>
      <Stack gap="xs">
        <Text size="sm">{words('secretOnce')}</Text>
        <CopyText text={secret} />
      </Stack>
    </Alert>
  );
}
