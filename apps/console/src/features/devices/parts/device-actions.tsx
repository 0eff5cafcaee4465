import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { FreezeButton } from '../../../ui/elevation/freeze-button.tsx';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { MoreActions } from '../../../ui/forms/acts-menu.tsx';
import { Dialog, SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { decideReturn, decommission, type Device, renameDevice, rotateToken } from '../queries.ts';
import { plainName } from '../../../ui/text/safe-text.tsx';
import { MoveButton } from './move-button.tsx';

const RENAME = 'PATCH /devices/{id}';

const ROTATE = 'POST /devices/{id}/agent-token/rotate';
const DECOMMISSION = 'POST /devices/{id}/decommission';
const ACTS = [RENAME, 'POST /devices/{id}/move', ROTATE, DECOMMISSION] as const;

const ANSWERS = ['confirm', 'refuse'] as const;

/** A machine that waits to return as its former device is confirmed or refused, nothing else. */
function ReturnButtons({ device: { id, hostname } }: { readonly device: Device }) {
  const words = useTranslations('devices.returning');
  return ANSWERS.map((answer) => (
    <ConfirmButton
      key={answer}
      label={words(answer)}
      title={words(`${answer}Title`, { name: plainName(hostname) })}
      needs={`POST /devices/{id}/return/${answer}`}
      changes={['devices']}
      act={() => decideReturn(id, answer)}
    >
      {words(`${answer}Text`)}
    </ConfirmButton>
  ));
}

interface NewTokenProps {
  readonly hostname: string;
  readonly token: string | null;
  readonly onClose: () => void;
}

function NewToken({ hostname, token, onClose }: NewTokenProps) {
  const words = useTranslations('devices');
  return (
    <Dialog title={words('tokenOf', { name: hostname })} opened={token !== null} isOnce onClose={onClose}>
      {token && <SecretOnce label={words('token')} secret={token} />}
    </Dialog>
  );
}

/** What can be done to a device; nothing once it is decommissioned. */
export function DeviceActions({ device }: { readonly device: Device }) {
  const words = useTranslations('devices');
  const { id } = device;
  const hostname = plainName(device.hostname);
  const [token, setToken] = useState<string | null>(null);
  if (device.status === 'decommissioned') return null;
  if (device.status === 'awaiting_confirmation') return <ReturnButtons device={device} />;
  return (
    <>
      <FreezeButton level="device" targetId={id} name={hostname} />
      <MoreActions needs={ACTS}>
        <FormButton
          label={words('rename')}
          title={words('renameTitle', { name: hostname })}
          text={words('renameText')}
          needs={RENAME}
          fields={[{ name: 'displayName', label: words('name'), ...inputLimits(RENAME, 'displayName') }]}
          initial={{ displayName: device.displayName ?? '' }}
          changes={['devices']}
          act={({ displayName }) => renameDevice(id, String(displayName ?? '').trim() || null)}
        />
        <MoveButton devices={[device]} />
        <ConfirmButton
          label={words('rotate')}
          title={words('rotateTitle', { name: hostname })}
          needs={ROTATE}
          changes={['devices']}
          act={() => rotateToken(id)}
          onDone={({ agentToken }) => setToken(agentToken)}
        >
          {words('rotateText')}
        </ConfirmButton>
        <ConfirmButton
          label={words('decommission')}
          title={words('decommissionTitle', { name: hostname })}
          needs={DECOMMISSION}
          color="red"
          name={hostname}
          changes={['devices']}
          act={() => decommission(id)}
        >
          {words('decommissionText')}
        </ConfirmButton>
      </MoreActions>
      <NewToken {...{ hostname, token }} onClose={() => setToken(null)} />
    </>
  );
}
