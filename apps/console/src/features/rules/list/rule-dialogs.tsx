import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmByName, Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { NumberField } from '../../../ui/forms/number-field.tsx';
import type { Rule } from '../model.ts';
import { deleteRule, useRuleAct } from '../queries.ts';
import { AfterRule } from './after-rule.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import type { OrderedRuleProps } from './move-handle.tsx';

export type RuleDialogKind = 'move' | 'copy' | 'delete';

interface DeleteDialogProps {
  readonly rule: Rule;
  readonly onClose: () => void;
}

function DeleteDialog({ rule, onClose }: DeleteDialogProps) {
  const words = useTranslations('rules');
  const act = useRuleAct(deleteRule);
  return (
    <ConfirmByName
      title={words('deleteTitle', { name: rule.name })}
      name={rule.name}
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

interface MoveDialogProps extends OrderedRuleProps {
  readonly onClose: () => void;
}

/** The twin of dragging: asks for the place. */
function MoveDialog({ rule, order, onClose }: MoveDialogProps) {
  const words = useTranslations('rules.move');
  const [place, setPlace] = useState<number | ''>(order.placeOf(rule) + 1);
  return (
    <Dialog title={words('title', { name: rule.name })} opened onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (place !== '') order.move(rule, place - 1);
          onClose();
        }}
      >
        <Stack>
          <NumberField
            label={words('place', { count: order.count })}
            min={1}
            max={order.count}
            required
            data-autofocus
            value={place}
            onChange={setPlace}
          />
          <AfterRule
            orgId={rule.orgId}
            except={rule.id}
            onChoose={(other) => setPlace(order.placeAfter(rule, other) + 1)}
          />
          <FormActions label={words('move')} saving={false} disabled={place === ''} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

interface RuleDialogProps extends MoveDialogProps {
  readonly kind: RuleDialogKind;
}

/** What is asked before a rule of the list moves, is copied or goes. */
export function RuleDialog({ kind, rule, order, onClose }: RuleDialogProps) {
  if (kind === 'move') return <MoveDialog {...{ rule, order, onClose }} />;
  return kind === 'copy' ? <CopyDialog {...{ rule, onClose }} /> : <DeleteDialog {...{ rule, onClose }} />;
}
