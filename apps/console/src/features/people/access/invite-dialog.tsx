import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { CHANGES, invite, type Person } from '../queries.ts';
import { membershipOf, type Placement, placementFor } from './placement.ts';
import { PlacementFields } from './placement-fields.tsx';

interface InviteDialogProps {
  readonly orgId: string | undefined;
  readonly siteId: string | undefined;
  /** A known person who gets another membership. */
  readonly person?: Pick<Person, 'email' | 'name'>;
  readonly onClose: () => void;
}

type Who = Pick<Person, 'email' | 'name'>;

interface WhoFieldsProps {
  readonly who: Who;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (who: Who) => void;
}

function WhoFields({ who, errors, onChange }: WhoFieldsProps) {
  const words = useTranslations('people');
  return (
    <>
      <TextInput
        label={words('email')}
        type="email"
        autoComplete="off"
        data-autofocus
        {...inputLimits('POST /users', 'email')}
        value={who.email}
        error={errors['email']}
        onChange={({ currentTarget }) => onChange({ ...who, email: currentTarget.value })}
      />
      <TextInput
        label={words('name')}
        autoComplete="off"
        {...inputLimits('POST /users', 'name')}
        value={who.name}
        error={errors['name']}
        onChange={({ currentTarget }) => onChange({ ...who, name: currentTarget.value })}
      />
    </>
  );
}

function InviteForm({ orgId, siteId, person, onClose }: InviteDialogProps) {
  const words = useTranslations('people');
  const me = useMe();
  const [who, setWho] = useState<Who>({ email: person?.email ?? '', name: person?.name ?? '' });
  const [placement, setPlacement] = useState<Placement>(() =>
    placementFor(me, { ...(orgId && { orgId }), ...(siteId && { siteId }) }),
  );
  const act = useAct(CHANGES, invite);
  const errors = fieldErrors(act.error);
  const membership = membershipOf(placement);
  const onSuccess: (answer: Awaited<ReturnType<typeof invite>>) => void = ({ data }) => {
    notifyDone(words(data.status === 'invited' ? 'invited' : 'added', { name: data.name }));
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (membership) act.mutate({ email: who.email.trim(), name: who.name, membership }, { onSuccess });
      }}
    >
      <Stack>
        <Text size="sm">{person ? words('addText', { name: person.name }) : words('inviteText')}</Text>
        {!person && <WhoFields {...{ who, errors }} onChange={setWho} />}
        <PlacementFields {...{ placement, errors }} onChange={setPlacement} />
        <Refusal error={act.error} />
        <FormActions
          label={words(person ? 'add' : 'sendInvitation')}
          saving={act.isPending}
          disabled={membership === null}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

/** Invites a person by mail, with role and reach; a known person gets the membership at once. */
export function InviteDialog(props: InviteDialogProps) {
  const words = useTranslations('people');
  const { person, onClose } = props;
  return (
    <Dialog title={person ? words('addTitle', { name: person.name }) : words('invite')} opened onClose={onClose}>
      <InviteForm {...props} />
    </Dialog>
  );
}
