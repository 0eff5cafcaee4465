import { Button, Modal, Stack, Text } from '@mantine/core';
import { ok } from '@gatehouse/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api } from '../api/client.ts';
import { meQuery, useMe } from '../api/me.ts';
import { hasPasskeys, passkeyOptions, provePasskey } from '../api/passkeys.ts';
import { keepToken } from '../api/session.ts';
import { settleStepUp, useStepUpRequested } from '../api/step-up.ts';
import { AuthenticatorSetup } from '../ui/codes/authenticator-setup.tsx';
import { CodeForm } from '../ui/codes/code-form.tsx';
import { Overlay } from '../ui/forms/unsaved.ts';

function PasskeyButton({ onProved }: { readonly onProved: () => void }) {
  const words = useTranslations('shell.stepUp');
  const options = useQuery({ queryKey: ['session', 'passkey-options'], queryFn: passkeyOptions, gcTime: 0 });
  const prove = useMutation({ mutationFn: provePasskey, onSuccess: onProved, onError: () => options.refetch() });
  const { data } = options;
  return (
    <Button disabled={!data} loading={prove.isPending} onClick={() => data && prove.mutate(data)}>
      {words('passkey')}
    </Button>
  );
}

function Prove({ onProved }: { readonly onProved: () => void }) {
  const words = useTranslations('shell.stepUp');
  const { mfa } = useMe();
  const canUsePasskey = mfa.methods.includes('webauthn') && hasPasskeys();
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
      {canUsePasskey && <PasskeyButton onProved={onProved} />}
      <CodeForm
        label={words('code')}
        error={verify.error}
        saving={verify.isPending}
        isSecond={canUsePasskey}
        onCode={verify.mutate}
      />
    </Stack>
  );
}

/** The one dialog for the second factor: calls that wait for it go on together. */
export function StepUpDialog() {
  const words = useTranslations('shell.stepUp');
  const uiWords = useTranslations('ui');
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
      closeButtonProps={{ 'aria-label': uiWords('close') }}
    >
      <Overlay onClose={() => settleStepUp(false)} />
      {mfa.enrolled ? <Prove onProved={done} /> : <AuthenticatorSetup onDone={done} />}
    </Modal>
  );
}
