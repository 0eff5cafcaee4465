import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../../api/browser.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Choice, DateField } from '../../../ui/forms/inputs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { type ChangedValues, type FieldValue, updateFieldValues } from '../queries.ts';

type Value = FieldValue['value'];
type FieldType = FieldValue['type'];

/** The texts of the inputs, by the key of the field. */
type FieldTexts = Readonly<Record<string, string>>;

const DAY_LENGTH = 10;

/** The text with which the input of a field begins. */
function textOf(type: FieldType, value: Value): string {
  if (value === null) return '';
  // A date may be stored with a time; the input knows days.
  return type === 'date' ? String(value).slice(0, DAY_LENGTH) : String(value);
}

export const textsOf = (values: readonly FieldValue[]): FieldTexts =>
  Object.fromEntries(values.map(({ fieldKey, type, value }) => [fieldKey, textOf(type, value)]));

/** What an input means; a number that cannot be read is sent as it stands, and the server says what is wrong. */
function valueOf(type: FieldType, text: string): string | number | boolean | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (type === 'boolean') return trimmed === 'true';
  if (type !== 'number') return type === 'text' ? text : trimmed;
  const number = Number(trimmed.replace(',', '.'));
  return Number.isFinite(number) ? number : trimmed;
}

/** The values of the inputs that differ from what they began with. */
export function changesOf(values: readonly FieldValue[], texts: FieldTexts): ChangedValues {
  const before = textsOf(values);
  const changed = values.filter(({ fieldKey }) => texts[fieldKey] !== before[fieldKey]);
  return Object.fromEntries(changed.map(({ fieldKey, type }) => [fieldKey, valueOf(type, texts[fieldKey] ?? '')]));
}

const TEXT_MAX = 5000;

interface InputProps {
  readonly field: FieldValue;
  readonly options: readonly string[];
  readonly form: UseFormReturnType<FieldTexts>;
}

function Input({ field: { fieldKey, name, type }, options, form }: InputProps) {
  const words = useTranslations('ui');
  const shared = { label: name, ...form.getInputProps(fieldKey) };
  const choice = (data: readonly { value: string; label: string }[]) => (
    <Choice
      {...shared}
      none={words('none')}
      data={data}
      value={form.values[fieldKey] || null}
      onChange={(value) => form.setFieldValue(fieldKey, value ?? '')}
    />
  );
  if (type === 'boolean') {
    return choice([
      { value: 'true', label: words('yes') },
      { value: 'false', label: words('no') },
    ]);
  }
  if (type === 'dropdown' && options.length > 0) return choice(options.map((value) => ({ value, label: value })));
  if (type === 'date') return <DateField {...shared} />;
  if (type === 'number') return <TextInput {...shared} inputMode="decimal" />;
  return <TextInput {...shared} maxLength={TEXT_MAX} />;
}

interface FieldFormProps {
  readonly deviceId: string;
  readonly values: readonly FieldValue[];
  /** The choices of a field, by its id. */
  readonly optionsOf: (fieldId: string) => readonly string[];
}

/** The server names the member of the body: `values.owner`. */
const errorsOf = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([path, message]) => [path.replace(/^values\./, ''), message]),
  );

/** Begins with the values as they were read first: a later reading does not take away what was typed. */
function useFieldForm({ deviceId, values }: FieldFormProps) {
  const words = useTranslations('devices');
  const [begun, setBegun] = useState(values);
  const form = useForm<FieldTexts>({ initialValues: textsOf(values) });
  const changes = changesOf(begun, form.values);
  const act = useAct(['devices'], () => updateFieldValues(deviceId, changes));
  const save = () =>
    act.mutate(undefined, {
      onSuccess: ({ data }) => {
        setBegun(data);
        form.setValues(textsOf(data));
        notifyDone(words('fieldsSaved'));
      },
      onError: (error) => form.setErrors(errorsOf(error)),
    });
  const undo = () => form.setValues(textsOf(begun));
  return { form, act, save, undo, isDirty: Object.keys(changes).length > 0 };
}

/** The values of a device's custom fields; only those that were changed are sent. */
export function FieldForm(props: FieldFormProps) {
  const { values, optionsOf } = props;
  const words = useTranslations('devices');
  const online = useOnline();
  const { form, act, save, undo, isDirty } = useFieldForm(props);
  useUnsaved(isDirty);
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack className="gh-card" maw={560}>
        {values.map((field) => (
          <Input key={field.fieldId} field={field} options={optionsOf(field.fieldId)} form={form} />
        ))}
        <Refusal error={act.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={!isDirty} onClick={undo}>
            {words('undo')}
          </Button>
          <Button type="submit" loading={act.isPending} disabled={!isDirty || !online}>
            {words('saveFields')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
