import type { ButtonProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { getQuery } from '../../api/client.ts';
import { serverNow } from '../../api/browser.ts';
import { inputLimits } from '../../api/limits.ts';
import { useCan } from '../../api/me.ts';
import { FormButton } from '../forms/act-button.tsx';
import type { Field, Values } from '../forms/fields.ts';
import { notifyDone } from '../notify.ts';
import { activeQuery } from './active.ts';
import {
  createFreeze,
  DURATIONS,
  expiryOf,
  FREEZE_CHANGES,
  type FreezeTarget,
  MODES,
  USUAL_DURATION,
} from './freeze.ts';
import './words.ts';

/** The reason stands first: with the usual mode and end it is all that an emergency asks for. */
function useFields(): readonly Field[] {
  const words = useTranslations('freezes');
  // A freeze without an end asks for the right to change rules.
  const durations = useCan()('POST /pam/rules') ? DURATIONS : DURATIONS.filter((one) => one !== 'none');
  return [
    { name: 'reason', label: words('reason'), kind: 'area', ...inputLimits('POST /pam/freezes', 'reason') },
    {
      name: 'mode',
      label: words('mode'),
      kind: 'choice',
      required: true,
      choices: MODES.map((value) => ({ value, label: words(`modeText.${value}`) })),
    },
    {
      name: 'expiresAt',
      label: words('duration'),
      kind: 'choice',
      required: true,
      choices: durations.map((value) => ({ value, label: words(`durations.h${value}`) })),
    },
    { name: 'revokeOpen', label: words('revokeOpen'), kind: 'switch' },
  ];
}

/** What the freeze does, with how many devices and active elevations it concerns now. */
function Consequence({ level, targetId }: FreezeTarget) {
  const words = useTranslations('freezes');
  const isOne = level === 'device';
  const place = {
    ...(level === 'organization' && { orgId: targetId }),
    ...(level === 'site' && { siteId: targetId }),
  };
  const devices = useQuery({
    ...getQuery('devices', '/devices', { query: { ...place, limit: 1 }, select: ({ pagination }) => pagination.total }),
    enabled: !isOne,
  }).data;
  const isThere = (row: { readonly deviceId: string; readonly siteId: string | null }): boolean =>
    isOne ? row.deviceId === targetId : level !== 'site' || row.siteId === targetId;
  const active = useQuery({
    ...activeQuery({ org: place.orgId }),
    select: (read) => read.active.filter(isThere).length,
  }).data;
  return (
    <>
      {words(`freezeText.${level}`)}
      {!isOne && devices !== undefined && ` ${words('devices', { count: devices })}`}
      {active !== undefined && ` ${words('elevations', { count: active })}`}
    </>
  );
}

interface FreezeButtonProps extends FreezeTarget, ButtonProps {
  /** The name of what is frozen. */
  readonly name: string;
}

/** Stops what is granted on a device, at a site, in an organisation or for a partner; the reason is required. */
export function FreezeButton({ level, targetId, name, ...button }: FreezeButtonProps) {
  const words = useTranslations('freezes');
  const fields = useFields();
  const freeze = ({ reason, mode, expiresAt, revokeOpen }: Values) =>
    createFreeze({
      level,
      targetId,
      reason: String(reason).trim(),
      mode: mode === 'hold' ? 'hold' : 'lockdown',
      expiresAt: expiryOf(String(expiresAt), serverNow()),
      revokeOpen: revokeOpen === true,
    });
  return (
    <FormButton
      variant="light"
      color="red"
      {...button}
      label={words('freeze')}
      title={words('freezeTitle', { name })}
      orgId={['device', 'site'].includes(level) ? undefined : null}
      text={<Consequence level={level} targetId={targetId} />}
      needs="POST /pam/freezes"
      fields={fields}
      initial={{ mode: MODES[0], expiresAt: USUAL_DURATION, revokeOpen: true }}
      changes={FREEZE_CHANGES}
      act={freeze}
      onDone={() => notifyDone(words('frozen', { name }))}
    />
  );
}
