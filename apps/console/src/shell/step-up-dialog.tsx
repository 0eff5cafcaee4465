import { Button, Code, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { ok } from '@gatehouse/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../api/client.ts';
import { meQuery, useMe } from '../api/me.ts';
import { hasPasskeys, passkeyOptions, provePasskey } from '../api/passkeys.ts';
import { keepToken } from '../api/session.ts';
import { settleStepUp, useStepUpRequested } from '../api/step-up.ts';
import { CopyText } from '../ui/text/copy-text.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import { QrCode } from '../ui/codes/qr-code.tsx';

const withoutBlanks = (code: string) => code.replaceAll(/\s/g, '');

interface CodeFormProps {
  readonly error: unknown;
  readonly saving: boolean;
  readonly onCode: (code: string) => void;
}

function CodeForm({ error, saving, onCode }: CodeFormProps) {
  const words = useTranslations('shell.stepUp');
  const [code, setCode] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCode(withoutBlanks(code));
      }}
    >
      <Stack>
        <TextInput
          label={words('code')}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          autoComplete="one-time-code"
          inputMode="text"
          data-autofocus
          required
        />
        <Refusal error={error} />
        <Button type="submit" loading={saving}>
          {words('confirm')}
        </Button>
      </Stack>
    </form>
  );
}

function PasskeyButton({ onProved }: { readonly onProved: () => void }) {
  const words = useTranslations('shell.stepUp');
  const options = useQuery({ queryKey: ['session', 'passkey-options'], queryFn: passkeyOptions, gcTime: 0 });
  const prove = useMutation({ mutationFn: provePasskey, onSuccess: onProved, onError: () => options.refetch() });
  const { data } = options;
  return (
    <Button variant="light" disabled={!data} loading={prove.isPending} onClick={() => data && prove.mutate(data)}>
      {words('passkey')}
    </Button>
  );
}

function Prove({ onProved }: { readonly onProved: () => void }) {
  const words = useTranslations('shell.stepUp');
  const { mfa } = useMe();
  const verify = useMutation({
    mutationFn: (code: string) => ok(api.POST('/auth/mfa/step-up', { body: { code } })),
    onSuccess: ({ accessToken }) => {
      keepToken(accessToken);
      onProved();
    },
  });
  return (
    <Stack>
      <Text size="sm">{words('text')}</Text>
      {mfa.methods.includes('webauthn') && hasPasskeys() && <PasskeyButton onProved={onProved} />}
      <CodeForm error={verify.error} saving={verify.isPending} onCode={verify.mutate} />
    </Stack>
  );
}

function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const words = useTranslations('shell.stepUp');
  return (
    <Stack>
      <Text size="sm">{words('recoveryText')}</Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code}>{code}</Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <CopyText text={codes.join('\n')} shown="" />
        <Button onClick={onDone}>{words('recoveryDone')}</Button>
      </Group>
    </Stack>
  );
}

/** Sets up an authenticator in place, for a person who has no second factor yet. */
function Enrol({ onProved }: { readonly onProved: () => void }) {
  const words = useTranslations('shell.stepUp');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const secret = useQuery({
    queryKey: ['session', 'totp-secret'],
    queryFn: () => ok(api.POST('/auth/mfa/totp/enroll')),
    staleTime: Infinity,
    gcTime: 0,
  });
  const confirm = useMutation({
    mutationFn: (code: string) => ok(api.POST('/auth/mfa/totp/confirm', { body: { code } })),
    onSuccess: ({ accessToken, recoveryCodes }) => {
      keepToken(accessToken);
      setCodes(recoveryCodes);
    },
  });
  if (codes) return <RecoveryCodes codes={codes} onDone={onProved} />;
  return (
    <Stack>
      <Text size="sm">{words('enrolText')}</Text>
      {secret.data && (
        <Group align="flex-start">
          <QrCode text={secret.data.otpauthUrl} label={words('enrolTitle')} />
          <CopyText label={words('enrolSecret')} text={secret.data.secret} />
        </Group>
      )}
      <CodeForm error={secret.error ?? confirm.error} saving={confirm.isPending} onCode={confirm.mutate} />
    </Stack>
  );
}

/** The one dialog for the second factor: calls that wait for it go on together. */
export function StepUpDialog() {
  const words = useTranslations('shell.stepUp');
  const opened = useStepUpRequested();
  const queryClient = useQueryClient();
  const { mfa } = useMe();
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    settleStepUp(true);
  };
  return (
    <Modal
      opened={opened}
      onClose={() => settleStepUp(false)}
      title={words(mfa.enrolled ? 'title' : 'enrolTitle')}
      centered
      zIndex={400}
    >
      {mfa.enrolled ? <Prove onProved={done} /> : <Enrol onProved={done} />}
    </Modal>
  );
}
