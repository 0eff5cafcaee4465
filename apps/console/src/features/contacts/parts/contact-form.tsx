import { Button, Checkbox, MultiSelect, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { sitesQuery } from '../../../ui/place/queries.ts';
import { changesOf, type ContactValues, ROLES, valuesOf } from '../model.ts';
import { type Contact, createContact, type NewContact, updateContact } from '../queries.ts';

const TEXTS = ['name', 'title', 'email', 'phone', 'mobile'] as const;
const CREATE = 'POST /orgs/organizations/{id}/contacts';

interface FieldsProps {
  readonly orgId: string;
  readonly form: UseFormReturnType<ContactValues>;
}

function Fields({ orgId, form }: FieldsProps) {
  const words = useTranslations('contacts');
  const uiWords = useTranslations('ui');
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {TEXTS.map((name) => (
          <TextInput
            key={name}
            label={words(name === 'title' ? 'jobTitle' : name)}
            type={name === 'email' ? 'email' : 'text'}
            data-autofocus={name === 'name' || undefined}
            {...inputLimits(CREATE, name)}
            {...form.getInputProps(name)}
          />
        ))}
        <Select
          label={words('site')}
          description={words('siteHint')}
          placeholder={words('wholeOrganization')}
          data={sites.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': uiWords('delete') }}
          {...form.getInputProps('siteId')}
          value={form.values.siteId || null}
          onChange={(value) => form.setFieldValue('siteId', value ?? '')}
        />
      </SimpleGrid>
      <MultiSelect
        label={words('roles')}
        data={ROLES.map((value) => ({ value, label: words(`roleNames.${value}`) }))}
        {...form.getInputProps('roles')}
      />
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

function ContactForm({ orgId, contact, onClose }: ContactFormProps) {
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
        <FormActions label={uiWords('save')} saving={act.isPending} disabled={!form.isDirty()} onCancel={onClose} />
      </Stack>
    </form>
  );
}

interface ContactButtonProps {
  readonly orgId: string;
  /** The contact to change; a new one without it. */
  readonly contact?: Contact;
}

/** Opens the form of a contact. */
export function ContactButton({ orgId, contact }: ContactButtonProps) {
  const words = useTranslations('contacts');
  const [opened, dialog] = useDisclosure(false);
  const name = contact && (contact.name ?? contact.email ?? contact.phone ?? contact.mobile ?? '');
  return (
    <>
      {contact ? (
        <Button
          size="xs"
          variant="default"
          data-open
          aria-label={words('editTitle', { name: name ?? '' })}
          onClick={dialog.open}
        >
          {words('edit')}
        </Button>
      ) : (
        <Button onClick={dialog.open}>{words('new')}</Button>
      )}
      <Dialog
        title={contact ? words('editTitle', { name: name ?? '' }) : words('new')}
        opened={opened}
        onClose={dialog.close}
      >
        <ContactForm orgId={orgId} {...(contact && { contact })} onClose={dialog.close} />
      </Dialog>
    </>
  );
}
