import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { NumberField } from '../../../ui/forms/inputs.tsx';
import { AfterRule } from './after-rule.tsx';
import { DeleteDialog } from '../shared/delete-dialog.tsx';
import type { OrderedRuleProps } from './move-handle.tsx';

export type RuleDialogKind = 'move' | 'copy' | 'delete';

/** Searches organisations, so it is loaded with the first copy. */
const CopyDialog = lazyPart(async () => ({ default: (await import('./copy-dialog.tsx')).CopyDialog }));

interface MoveDialogProps extends OrderedRuleProps {
  readonly onClose: () => void;
}

/** The twin of dragging: asks for the place. */
function MoveDialog({ rule, order, onClose }: MoveDialogProps) {
  const words = useTranslations('rules.move');
  const [place, setPlace] = useState<number | ''>(order.placeOf(rule) + 1);
  return (
    <Dialog title={words('title', { name: rule.name })} orgId={rule.orgId} opened onClose={onClose}>
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
