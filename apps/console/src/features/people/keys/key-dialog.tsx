import { Button, Group, Input, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import { inputLimits } from '../../../api/limits.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { FormActions, SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { Choice, DateField } from '../../../ui/forms/inputs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { Overlay } from '../../../ui/forms/unsaved.ts';
import { endOfDay } from '../../../ui/text/days.ts';
import { CHANGES, createApiKey, type Permission } from '../queries.ts';
import { PermissionMatrix } from '../roles/permission-matrix.tsx';

const EXPIRIES = ['month', 'quarter', 'year', 'day', 'never'] as const;
type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 24 * 60 * 60_000;
const DAYS = { month: 30, quarter: 90, year: 365 } as const;

/** When a key stops working; null for never, and while no day is chosen. */
export function expiryOf(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'day') return endOfDay(day) ?? null;
  return new Date(now + DAYS[expiry] * DAY_MS).toISOString();
}

interface KeyFormProps {
  readonly onMade: (key: string) => void;
  readonly onClose: () => void;
}

function useDraft() {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('quarter');
  const [day, setDay] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>([]);
  return { name, setName, expiry, setExpiry, day, setDay, permissions, setPermissions };
}

type Draft = ReturnType<typeof useDraft>;

function ExpiryFields({ draft, error }: { readonly draft: Draft; readonly error: string | undefined }) {
  const words = useTranslations('people');
  return (
    <Group grow align="flex-start">
      <Choice
        label={words('expires')}
        data={EXPIRIES.map((value) => ({ value, label: words(`expiry.${value}`) }))}
        value={draft.expiry}
        error={draft.expiry === 'day' ? undefined : error}
        onChange={(value) => value && draft.setExpiry(value)}
      />
      {draft.expiry === 'day' && (
        <DateField label={words('lastDay')} required value={draft.day} error={error} onChange={draft.setDay} />
      )}
    </Group>
  );
}

function KeyForm({ onMade, onClose }: KeyFormProps) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  const draft = useDraft();
  const { name, expiry, day, permissions } = draft;
  const act = useAct(CHANGES, createApiKey);
  const errors = fieldErrors(act.error);
  const bodyNow = () => ({ name, permissions: [...permissions], expiresAt: expiryOf(expiry, day, serverNow()) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate(bodyNow(), { onSuccess: ({ data }) => onMade(data.key) });
      }}
    >
      <Stack>
        <Text size="sm">{words('keyText')}</Text>
        <TextInput
          label={words('name')}
          data-autofocus
          autoComplete="off"
          {...inputLimits('POST /api-keys', 'name')}
          value={name}
          error={errors['name']}
          onChange={({ currentTarget }) => draft.setName(currentTarget.value)}
        />
        <ExpiryFields draft={draft} error={errors['expiresAt']} />
        <Input.Wrapper label={words('permissions')} labelElement="div" withAsterisk>
          <PermissionMatrix
            value={permissions}
            error={errors['permissions']}
            onChange={(next) => draft.setPermissions(next)}
          />
        </Input.Wrapper>
        <Refusal error={act.error} />
        <FormActions
          label={uiWords('create')}
          saving={act.isPending}
          disabled={permissions.length === 0}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

/** Makes a key and shows it once: with the dialog it is gone. */
export function KeyDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  const [key, setKey] = useState<string | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      centered
      closeOnClickOutside={key === null}
      title={words(key === null ? 'newKey' : 'key')}
      closeButtonProps={{ 'aria-label': uiWords('close') }}
    >
      <Overlay onClose={onClose} />
      {key === null ? (
        <KeyForm onMade={setKey} onClose={onClose} />
      ) : (
        <Stack>
          <SecretOnce label={words('key')} secret={key} />
          <Button w="fit-content" onClick={onClose}>
            {words('kept')}
          </Button>
        </Stack>
      )}
    </Modal>
  );
}
