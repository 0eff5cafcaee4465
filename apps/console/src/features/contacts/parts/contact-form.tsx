import { Checkbox, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { sitesQuery } from '../../../ui/place/queries.ts';
import { changesOf, type Contact, type ContactValues, labelOf, ROLES, TEXT_NAMES, valuesOf } from '../model.ts';
import { createContact, type NewContact, updateContact } from '../queries.ts';

const CREATE = 'POST /orgs/organizations/{id}/contacts';

interface FieldsProps {
  readonly orgId: string;
  readonly form: UseFormReturnType<ContactValues>;
}

function SiteField({ orgId, form }: FieldsProps) {
  const words = useTranslations('contacts');
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  return (
    <NativeSelect
      label={words('site')}
      data={[
        { value: '', label: words('wholeOrganization') },
        ...sites.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...form.getInputProps('siteId')}
    />
  );
}

function Fields({ orgId, form }: FieldsProps) {
  const words = useTranslations('contacts');
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {TEXT_NAMES.map((name) => (
          <TextInput
            key={name}
            label={words(labelOf(name))}
            type={name === 'email' ? 'email' : 'text'}
            data-autofocus={name === 'name' || undefined}
            {...inputLimits(CREATE, name)}
            {...form.getInputProps(name)}
          />
        ))}
        <SiteField orgId={orgId} form={form} />
      </SimpleGrid>
      <Checkbox.Group label={words('roles')} {...form.getInputProps('roles')}>
        <Group gap="sm" mt={4}>
          {ROLES.map((role) => (
            <Checkbox key={role} value={role} label={words(`roleNames.${role}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox
        label={words('isPrimary')}
        description={words('primaryHint')}
        {...form.getInputProps('isPrimary', { type: 'checkbox' })}
      />
      <Textarea
        label={words('notes')}
        autosize
        minRows={2}
        maxRows={8}
        {...inputLimits(CREATE, 'notes')}
        {...form.getInputProps('notes')}
      />
    </>
  );
}

interface ContactFormProps {
  readonly orgId: string;
  readonly contact?: Contact;
  readonly onClose: () => void;
}

/** Makes or changes a contact. */
export function ContactForm({ orgId, contact, onClose }: ContactFormProps) {
  const uiWords = useTranslations('ui');
  const initial = valuesOf(contact);
  const form = useForm<ContactValues>({ initialValues: initial });
  const act = useAct(['contacts'], (values: ContactValues) => {
    const changes = changesOf(initial, values);
    return contact ? updateContact(contact.id, changes) : createContact(orgId, changes as NewContact);
  });
  const submit = (values: ContactValues) =>
    act.mutate(values, { onSuccess: onClose, onError: (error) => form.setErrors(fieldErrors(error)) });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <Fields orgId={orgId} form={form} />
        <Refusal error={act.error} />
        <FormActions
          label={uiWords(contact ? 'save' : 'create')}
          saving={act.isPending}
          disabled={!form.isDirty()}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
