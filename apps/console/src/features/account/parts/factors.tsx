import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { hasPasskeys, registerPasskey } from '../../../api/passkeys.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { Overlay } from '../../../ui/forms/unsaved.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { type Factor, factorsQuery, newRecoveryCodes, removeFactor } from '../queries.ts';
import { Card, CHANGES } from './cards.tsx';

/** Loaded with the first opening. */
const AuthenticatorSetup = lazyPart(async () => ({
  default: (await import('../../../ui/codes/authenticator-setup.tsx')).AuthenticatorSetup,
}));
const RecoveryCodes = lazyPart(async () => ({
  default: (await import('../../../ui/codes/recovery-codes.tsx')).RecoveryCodes,
}));

type ShowCodes = (codes: readonly string[]) => void;

function OneFactor({ factor: { id, kind, name, createdAt, lastUsedAt } }: { readonly factor: Factor }) {
  const words = useTranslations('account');
  const uiWords = useTranslations('ui');
  return (
    <ActRow
      act={
        <ConfirmButton
          label={words('remove')}
          title={words('removeFactorTitle', { name })}
          size="xs"
          needs="DELETE /auth/mfa/factors/{id}"
          changes={CHANGES}
          act={() => removeFactor(id)}
          onDone={() => notifyDone(words('factorRemoved', { name }))}
        >
          {words('removeFactorText')}
        </ConfirmButton>
      }
    >
      <Text size="sm">{kind === 'webauthn' ? `${words('kinds.webauthn')} · ${name}` : words('kinds.totp')}</Text>
      <Text size="xs" c="dimmed" component="div">
        {words('added')} <Instant at={createdAt} /> · {words('lastUsed')}{' '}
        {lastUsedAt ? <Instant at={lastUsedAt} /> : uiWords('never')}
      </Text>
    </ActRow>
  );
}

function AddPasskey({ onCodes }: { readonly onCodes: ShowCodes }) {
  const words = useTranslations('account');
  if (!hasPasskeys()) return <Text size="sm">{words('noPasskeys')}</Text>;
  const done = (codes: readonly string[] | null) => {
    notifyDone(words('passkeyAdded'));
    if (codes) onCodes(codes);
  };
  return (
    <FormButton
      label={words('addPasskey')}
      text={words('addPasskeyText')}
      variant="default"
      needs="POST /auth/mfa/webauthn/register/verify"
      action="add"
      fields={[
        {
          name: 'name',
          label: words('passkeyName'),
          required: true,
          ...inputLimits('POST /auth/mfa/webauthn/register/verify', 'name'),
        },
      ]}
      changes={CHANGES}
      act={(values) => registerPasskey(String(values['name']))}
      onDone={done}
    />
  );
}

/** Its dialog stays where it is no longer offered: it shows the recovery codes of the factor that it has added. */
function AddAuthenticator({ isOffered }: { readonly isOffered: boolean }) {
  const words = useTranslations('account');
  const uiWords = useTranslations('ui');
  const [opened, dialog] = useDisclosure(false);
  const queryClient = useQueryClient();
  const done = () => {
    for (const feature of CHANGES) void queryClient.invalidateQueries({ queryKey: [feature] });
    dialog.close();
  };
  return (
    <>
      {isOffered && (
        <Button variant="default" onClick={dialog.open}>
          {words('addAuthenticator')}
        </Button>
      )}
      <Modal
        opened={opened}
        onClose={done}
        centered
        title={words('addAuthenticator')}
        closeButtonProps={{ 'aria-label': uiWords('close') }}
      >
        <Overlay onClose={done} />
        <Suspense fallback={null}>
          <AuthenticatorSetup onDone={done} />
        </Suspense>
      </Modal>
    </>
  );
}

function NewCodes({ onCodes }: { readonly onCodes: ShowCodes }) {
  const words = useTranslations('account');
  return (
    <ConfirmButton
      label={words('newCodes')}
      title={words('newCodes')}
      needs="POST /auth/mfa/recovery-codes"
      changes={CHANGES}
      act={newRecoveryCodes}
      onDone={onCodes}
    >
      {words('newCodesText')}
    </ConfirmButton>
  );
}

/** Recovery codes are shown in a dialog of their own, and are gone with it. */
function Codes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const words = useTranslations('shell.stepUp');
  const uiWords = useTranslations('ui');
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      closeOnClickOutside={false}
      title={words('recoveryTitle')}
      closeButtonProps={{ 'aria-label': uiWords('close') }}
    >
      <Overlay onClose={onClose} />
      <Suspense fallback={null}>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Suspense>
    </Modal>
  );
}

/** The own second factors: passkeys, one authenticator, and recovery codes that stand in for them. */
export function Factors() {
  const words = useTranslations('account');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Card title={words('factors')}>
      <QueryView query={useQuery(factorsQuery)}>
        {(factors) => (
          <>
            {factors.length === 0 && <Text size="sm">{words('noFactors')}</Text>}
            {factors.map((factor) => (
              <OneFactor key={factor.id} factor={factor} />
            ))}
            <Group gap="xs">
              <AddPasskey onCodes={setCodes} />
              <AddAuthenticator isOffered={!factors.some(({ kind }) => kind === 'totp')} />
              {factors.length > 0 && <NewCodes onCodes={setCodes} />}
            </Group>
          </>
        )}
      </QueryView>
      {codes && <Codes codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}
