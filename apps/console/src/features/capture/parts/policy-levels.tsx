import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { policyWith } from '../model.ts';
import { type ApprovalPolicy, type Level, updateApprovalPolicy } from '../queries.ts';

/** Loaded when the first level is edited. */
const LevelForm = lazyPart(async () => ({ default: (await import('./level-form.tsx')).LevelForm }));
const MAX_LEVELS = 20;

interface Row {
  readonly at: number;
  readonly level: Level;
}

function useConditions(): (level: Level) => string {
  const words = useTranslations('capture');
  return ({ flowTypes = [], riskTierMin, unsigned, siteIds = [], deviceGroupIds = [] }) =>
    [
      ...flowTypes.map((flow) => words(`flows.${flow}`)),
      riskTierMin !== undefined && words('fitsTier', { tier: riskTierMin }),
      unsigned && words('fitsUnsigned'),
      siteIds.length > 0 && words('fitsSites', { count: siteIds.length }),
      deviceGroupIds.length > 0 && words('fitsGroups', { count: deviceGroupIds.length }),
    ]
      .filter(Boolean)
      .join(', ') || words('anyRequest');
}

function RowButtons({
  policy,
  at,
  onEdit,
}: {
  readonly policy: ApprovalPolicy;
  readonly at: number;
  readonly onEdit: () => void;
}) {
  const words = useTranslations('capture');
  const name = policy.levels[at]?.name ?? '';
  if (!useCan()('PUT /pam/approval-policy')) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="xs" variant="default" aria-label={words('editLevelNamed', { name })} onClick={onEdit}>
        {words('editLevel')}
      </Button>
      <ConfirmButton
        label={words('removeLevel')}
        aria-label={words('removeLevelNamed', { name })}
        title={words('removeLevelNamed', { name })}
        size="xs"
        needs="PUT /pam/approval-policy"
        color="red"
        changes={['capture']}
        act={() => updateApprovalPolicy(policy, policyWith(policy, at, null))}
      >
        {words('removeLevelText')}
      </ConfirmButton>
    </Group>
  );
}

function Levels({ policy, onEdit }: { readonly policy: ApprovalPolicy; readonly onEdit: (at: number) => void }) {
  const words = useTranslations('capture');
  const conditionsOf = useConditions();
  const columns: readonly Column<Row>[] = [
    { id: 'name', header: words('levelName'), cell: ({ level }) => level.name },
    { id: 'fits', header: words('fits'), cell: ({ level }) => conditionsOf(level) },
    { id: 'approvals', header: words('approvals'), cell: ({ level }) => level.approvals },
    { id: 'minutes', header: words('pendingMinutes'), cell: ({ level }) => level.pendingMinutes },
    {
      id: 'edit',
      header: words('editLevel'),
      bare: true,
      cell: ({ at }) => <RowButtons policy={policy} at={at} onEdit={() => onEdit(at)} />,
    },
  ];
  return (
    <DataTable
      label={words('levelsTitle')}
      columns={columns}
      rows={policy.levels.map((level, at) => ({ level, at }))}
      // Another level in the same place closes what was opened for the former one.
      idOf={({ at, level }) => `${at} ${level.name}`}
    />
  );
}

/** The levels of an approval policy, in the order in which they are tried. */
export function PolicyLevels({ policy }: { readonly policy: ApprovalPolicy }) {
  const words = useTranslations('capture');
  const can = useCan();
  const [edited, setEdited] = useState<number | null>(null);
  const close = () => setEdited(null);
  const { levels } = policy;
  const level = levels[edited ?? -1];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={3} fz="md">
          {words('levelsTitle')}
        </Title>
        {can('PUT /pam/approval-policy') && levels.length < MAX_LEVELS && (
          <Button size="xs" variant="default" onClick={() => setEdited(levels.length)}>
            {words('addLevel')}
          </Button>
        )}
      </Group>
      <Text className="gh-hint">{words(levels.length === 0 ? 'noLevels' : 'levelsText')}</Text>
      {levels.length > 0 && <Levels policy={policy} onEdit={setEdited} />}
      <Dialog
        title={level ? words('editLevelNamed', { name: level.name }) : words('addLevel')}
        orgId={policy.orgId}
        opened={edited !== null}
        onClose={close}
      >
        <Suspense fallback={null}>
          {edited !== null && <LevelForm policy={policy} at={edited} onClose={close} />}
        </Suspense>
      </Dialog>
    </Stack>
  );
}
