import { ok } from '@gatehouse/client';
import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { keepToken } from '../../api/session.ts';
import { Refusal } from '../forms/refusal.tsx';
import { CopyText } from '../text/copy-text.tsx';
import { CodeForm } from './code-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const QUIET_ZONE = 2;

/** A QR code as one SVG path. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={208} height={208} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Sets up an authenticator: its secret, its first code, then the recovery codes. */
export function AuthenticatorSetup({ onDone }: { readonly onDone: () => void }) {
  const words = useTranslations('shell.stepUp');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const secret = useQuery({
    queryKey: ['session', 'totp-secret'],
    queryFn: () => ok(api.POST('/auth/mfa/totp/enroll')),
    // An event or a new stream of them makes everything stale: it must not ask for another secret.
    enabled: ({ state }) => state.data === undefined,
    gcTime: 0,
  });
  const confirm = useMutation({
    mutationFn: (code: string) => ok(api.POST('/auth/mfa/totp/confirm', { body: { code } })),
    onSuccess: ({ accessToken, recoveryCodes }) => {
      keepToken(accessToken);
      setCodes(recoveryCodes);
    },
  });
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (secret.error) return <Refusal error={secret.error} />;
  return (
    <Stack>
      <Text size="sm">{words('enrolText')}</Text>
      {secret.data && (
        <Group align="flex-start">
          <QrCode text={secret.data.otpauthUrl} label={words('enrolTitle')} />
          <CopyText label={words('enrolSecret')} text={secret.data.secret} />
        </Group>
      )}
      <CodeForm
        label={words('enrolCode')}
        error={confirm.error}
        saving={confirm.isPending}
        onCode={(code) => confirm.mutate(code)}
      />
    </Stack>
  );
}
