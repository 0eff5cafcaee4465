import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Choice } from '../../../ui/forms/inputs.tsx';
import { FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { assignPolicy, type CapturePolicy, CHANGES, type Level, LEVELS } from '../policies.ts';
import { PlaceChoice } from './place-choice.tsx';

interface AssignFormProps {
  readonly policy: CapturePolicy;
  readonly onClose: () => void;
}

/** The organisation that the place lies in, and the place itself. */
function usePlace(policy: CapturePolicy) {
  const { partnerId } = useMe();
  const context = useOrg();
  const [level, setLevel] = useState<Level>('organization');
  const [orgId, setOrgId] = useState(policy.orgId ?? context ?? null);
  const [placeId, setPlaceId] = useState<string | null>(null);
  const targetId = level === 'partner' ? partnerId : level === 'organization' ? orgId : placeId;
  return {
    level,
    orgId,
    placeId,
    targetId,
    setLevel: (next: Level) => {
      setLevel(next);
      setPlaceId(null);
    },
    setOrgId: (next: string | null) => {
      setOrgId(next);
      setPlaceId(null);
    },
    setPlaceId,
  };
}

function LevelChoice({
  policy,
  level,
  onLevel,
}: {
  policy: CapturePolicy;
  level: Level;
  onLevel: (to: Level) => void;
}) {
  const words = useTranslations('captureLevels');
  const { partnerWidePolicyRights, partnerId } = useMe();
  const isWide = partnerWidePolicyRights && partnerId !== null && policy.orgId === null;
  const levels = LEVELS.filter((one) => one !== 'partner' || isWide);
  return (
    <Choice
      label={words('level')}
      description={words('levelText')}
      required
      data-autofocus
      data={levels.map((value) => ({ value, label: words(`levels.${value}`) }))}
      value={level}
      onChange={(value) => value && onLevel(value)}
    />
  );
}

/** Chooses the place that a policy is assigned to. */
export function AssignForm({ policy, onClose }: AssignFormProps) {
  const words = useTranslations('captureLevels');
  const { level, orgId, placeId, targetId, setLevel, setOrgId, setPlaceId } = usePlace(policy);
  const act = useAct(CHANGES, (id: string) => assignPolicy(policy.id, level, id));
  const error = fieldErrors(act.error)['targetId'];
  const isWithin = level !== 'partner' && level !== 'organization';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (targetId) act.mutate(targetId, { onSuccess: onClose });
      }}
    >
      <Stack>
        <LevelChoice {...{ policy, level }} onLevel={setLevel} />
        {level === 'partner' && <Text size="sm">{words('wholePartner')}</Text>}
        {level !== 'partner' && policy.orgId === null && (
          <PlaceChoice
            key="organization"
            label={words('levels.organization')}
            level="organization"
            orgId={undefined}
            required
            value={orgId}
            error={isWithin ? undefined : error}
            onChange={setOrgId}
          />
        )}
        {isWithin && orgId && (
          <PlaceChoice
            key={`${level} ${orgId}`}
            label={words(`levels.${level}`)}
            level={level}
            orgId={orgId}
            required
            value={placeId}
            error={error}
            onChange={setPlaceId}
          />
        )}
        <Refusal error={act.error} />
        <FormActions label={words('assign')} saving={act.isPending} disabled={!targetId} onCancel={onClose} />
      </Stack>
    </form>
  );
}
