import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { limitOf } from '../../../api/limits.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { NumberField } from '../../../ui/forms/inputs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { CHANGES, type KeyPolicy, keyPolicyQuery, setKeyPolicy } from '../queries.ts';

const { maximum: MAX_DAYS } = limitOf('PUT /api-keys/policy', 'maxDays');

function PolicyForm({ policy }: { readonly policy: KeyPolicy }) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  const { maxDays, effectiveDays, orgId } = policy;
  const [days, setDays] = useState<number | ''>(maxDays ?? '');
  const act = useAct(CHANGES, setKeyPolicy);
  const errors = fieldErrors(act.error);
  const owner = orgId === null ? ({ ownerScope: 'partner' } as const) : { orgId };
  return (
    <form
      aria-label={words('keyPolicy')}
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate({ ...owner, maxDays: days === '' ? null : days });
      }}
    >
      <Stack gap="xs">
        <Group align="flex-end">
          <NumberField
            label={words('keyPolicy')}
            description={words(orgId === null ? 'keyPolicyOfPartner' : 'keyPolicyOfOrganization')}
            min={1}
            max={MAX_DAYS}
            value={days}
            error={errors['maxDays']}
            onChange={setDays}
          />
          <Button type="submit" variant="default" loading={act.isPending}>
            {uiWords('save')}
          </Button>
        </Group>
        {effectiveDays !== null && effectiveDays !== maxDays && (
          <Text size="sm">{words('keyPolicyHolds', { days: effectiveDays })}</Text>
        )}
        <Refusal error={act.error} />
      </Stack>
    </form>
  );
}

/** The longest life of the keys of the chosen organisation, else of the partner. */
export function KeyPolicyPanel() {
  const org = useOrg();
  const words = useTranslations('people');
  const isNone = useMe().scope === 'system' && org === undefined;
  const mayLimit = useCan()('PUT /api-keys/policy');
  const policy = useQuery({ ...keyPolicyQuery(org), enabled: mayLimit && !isNone, retry: false }).data;
  if (mayLimit && isNone) return <Text size="sm">{words('keyPolicyOfNone')}</Text>;
  return policy ? <PolicyForm key={`${policy.orgId} ${policy.maxDays}`} policy={policy} /> : null;
}
