import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { CHANGES, type Person, removePerson, updatePerson, useForget } from '../queries.ts';

interface ButtonProps {
  readonly person: Person;
}

function Rename({ person: { id, name } }: ButtonProps) {
  const words = useTranslations('people');
  return (
    <FormButton
      label={words('rename')}
      title={words('renameTitle', { name })}
      variant="default"
      needs="PATCH /users/{id}"
      fields={[{ name: 'name', label: words('name'), required: true, ...inputLimits('PATCH /users/{id}', 'name') }]}
      initial={{ name }}
      changes={CHANGES}
      act={(values) => updatePerson(id, { name: String(values['name']) })}
    />
  );
}

function Suspend({ person: { id, name, status } }: ButtonProps) {
  const words = useTranslations('people');
  const verb = status === 'suspended' ? 'reinstate' : 'suspend';
  return (
    <ConfirmButton
      label={words(verb)}
      title={words(`${verb}Title`, { name })}
      needs="PATCH /users/{id}"
      color={verb === 'suspend' ? 'red' : ''}
      changes={CHANGES}
      act={() => updatePerson(id, { status: verb === 'suspend' ? 'suspended' : 'active' })}
      onDone={() => notifyDone(words(`${verb}Done`, { name }))}
    >
      {words(`${verb}Text`)}
    </ConfirmButton>
  );
}

function Remove({ person: { id, name } }: ButtonProps) {
  const words = useTranslations('people');
  const navigate = useNavigate();
  const forget = useForget();
  const removed = () => {
    forget();
    notifyDone(words('removed', { name }));
    void navigate({ to: '/people' });
  };
  return (
    <ConfirmButton
      label={words('remove')}
      title={words('removeTitle', { name })}
      needs="DELETE /users/{id}"
      name={name}
      changes={[]}
      act={() => removePerson(id)}
      onDone={removed}
    >
      {words('removeText')}
    </ConfirmButton>
  );
}

/** What can be done about the whole account of another person. */
export function AccountButtons({ person }: ButtonProps) {
  return (
    <>
      <Rename person={person} />
      {person.status !== 'invited' && (
        <>
          <Suspend person={person} />
          <Remove person={person} />
        </>
      )}
    </>
  );
}
