import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldErrors } from '../../../api/problem.ts';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { CHANGES, type Membership, type Person, updatePerson } from '../queries.ts';
import { membershipOf, type NewMembership, placementOf } from './placement.ts';
import { PlacementFields } from './placement-fields.tsx';

interface MembershipDialogProps {
  readonly person: Person;
  readonly membership: Membership;
  readonly onClose: () => void;
}

/** Changes role and reach; the sessions of the person end with it. */
export function MembershipDialog({ person, membership, onClose }: MembershipDialogProps) {
  const words = useTranslations('people');
  const [placement, setPlacement] = useState(() => placementOf(membership));
  const act = useAct(CHANGES, (next: NewMembership) => updatePerson(person.id, { membership: next }));
  const next = membershipOf(placement);
  const onSuccess = () => {
    notifyDone(words('changed', { name: person.name }));
    onClose();
  };
  return (
    <Dialog title={words('changeTitle', { name: person.name })} opened onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (next) act.mutate(next, { onSuccess });
        }}
      >
        <Stack>
          <Text size="sm">{words(person.status === 'invited' ? 'changeInvitationText' : 'changeText')}</Text>
          <PlacementFields
            {...{ placement }}
            errors={fieldErrors(act.error)}
            fixed={person.memberships.length > 1}
            onChange={setPlacement}
          />
          <Refusal error={act.error} />
          <FormActions label={words('save')} saving={act.isPending} disabled={next === null} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
