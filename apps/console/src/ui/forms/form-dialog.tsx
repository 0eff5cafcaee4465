import { NumberInput, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fieldErrors } from '../../api/problem.ts';
import { Dialog, FormActions, Refusal } from './dialogs.tsx';

export type Values = Record<string, string | number | boolean | null>;

export interface Field {
  /** The path of the member in the body, as the server's `issues` name it: `membership.roleId`. */
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'area' | 'number' | 'choice' | 'switch' | 'password';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly description?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  /** Whether the field is shown for the present values. */
  readonly when?: (values: Values) => boolean;
}

/** A form's field names may hold dots, which the form library reads as paths. */
const keyOf = (name: string): string => name.replaceAll('.', '__');

interface FieldInputProps {
  readonly field: Field;
  readonly form: UseFormReturnType<Values>;
  readonly first: boolean;
}

function FieldInput({ field, form, first }: FieldInputProps) {
  const { kind = 'text', label, description, required, maxLength, choices } = field;
  const key = keyOf(field.name);
  const shared = { label, description, required, ...(first && { 'data-autofocus': true }) };
  if (kind === 'switch') return <Switch label={label} {...form.getInputProps(key, { type: 'checkbox' })} />;
  if (kind === 'number') return <NumberInput {...shared} allowDecimal={false} min={0} {...form.getInputProps(key)} />;
  if (kind === 'choice')
    return <Select {...shared} data={[...(choices ?? [])]} searchable {...form.getInputProps(key)} />;
  if (kind === 'area')
    return <Textarea {...shared} autosize minRows={3} maxLength={maxLength} {...form.getInputProps(key)} />;
  return <TextInput {...shared} type={kind} maxLength={maxLength} {...form.getInputProps(key)} />;
}

const withKeys = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [keyOf(name), value]));

interface FormDialogProps<Result> {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action: string;
  readonly fields: readonly Field[];
  readonly initial: Values;
  readonly opened: boolean;
  readonly act: UseMutationResult<Result, Error, Values>;
  readonly onClose: () => void;
  readonly onDone?: (result: Result) => void;
  readonly color?: string;
}

function Form<Result>({ text, action, fields, initial, act, onClose, onDone, color }: FormDialogProps<Result>) {
  const form = useForm<Values>({ initialValues: withKeys(initial) });
  const named = () => Object.fromEntries(fields.map(({ name }) => [name, form.values[keyOf(name)] ?? null]));
  const submit = () =>
    act.mutate(named(), {
      onSuccess: (result) => {
        onClose();
        onDone?.(result);
      },
      onError: (error) => form.setErrors(withKeys(fieldErrors(error))),
    });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {text && <Text size="sm">{text}</Text>}
        {fields
          .filter(({ when }) => when?.(named()) ?? true)
          .map((field, index) => (
            <FieldInput key={field.name} field={field} form={form} first={index === 0} />
          ))}
        <Refusal error={act.error} />
        <FormActions label={action} saving={act.isPending} onCancel={onClose} {...(color && { color })} />
      </Stack>
    </form>
  );
}

/** A form in a dialog: what the server finds wrong stands at the fields, and the input stays until it is accepted. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { title, opened, onClose } = props;
  return (
    <Dialog {...{ title, opened, onClose }}>
      <Form {...props} />
    </Dialog>
  );
}

/** The values in which a form differs from what it began with; an emptied text is null. */
export function changedValues(initial: Values, values: Values): Values {
  const entries = Object.entries(values).filter(([name, value]) => value !== initial[name]);
  return Object.fromEntries(entries.map(([name, value]) => [name, value === '' ? null : value]));
}

/** The values that were filled in. */
export const filledValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null));
