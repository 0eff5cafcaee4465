import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ConfirmByName } from '../../../ui/forms/dialogs.tsx';
import type { ListedRule } from '../model.ts';
import { deleteRule, useRuleAct } from '../queries.ts';

interface DeleteDialogProps {
  readonly rule: ListedRule;
  readonly onClose: () => void;
}

/** Deletes a rule once its name was typed. */
export function DeleteDialog({ rule, onClose }: DeleteDialogProps) {
  const words = useTranslations('rules');
  const act = useRuleAct(deleteRule);
  return (
    <ConfirmByName
      title={words('deleteTitle', { name: rule.name })}
      name={rule.name}
      orgId={rule.orgId}
      action={words('delete')}
      opened
      saving={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={() => act.mutate(rule, { onSuccess: onClose })}
    >
      <Text size="sm">{words('deleteText')}</Text>
    </ConfirmByName>
  );
}
