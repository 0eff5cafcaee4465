import { Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { type ReactNode, Suspense } from 'react';
import { fieldErrors } from '../../api/problem.ts';
import { lazyPart } from '../later/lazy-part.ts';
import { Choice, DateField, NumberField } from './inputs.tsx';
import { Dialog, FormActions } from './dialogs.tsx';
import { Refusal } from './refusal.tsx';
import type { Field, Values } from './fields.ts';

const MAX_SLUG = 100;

/** The short name for addresses that a name suggests: `Müller & Co.` → `muller-co`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replaceAll(/^-|-$/g, '');

/** Sets the fields that follow another one, as long as they hold what was made from it before. */
export function followersOf(fields: readonly Field[], now: Values, before: Values): Values {
  const made = fields.flatMap(({ name, follows }) => {
    const [text, old] = [now, before].map((values) => String(values[follows ?? ''] ?? ''));
    if (!follows || text === old || String(now[name] ?? '') !== slugOf(old ?? '')) return [];
    return [[name, slugOf(text ?? '')] as const];
  });
  return Object.fromEntries(made);
}

/** A form's field names may hold dots, which the form library reads as paths. */
export const keyOf = (name: string): string => name.replaceAll('.', '__');

interface FieldInputProps {
  readonly field: Field;
  readonly form: UseFormReturnType<Values>;
  /** Whether it takes the focus of its dialog. */
  readonly first?: boolean;
}

/** Only operators choose a partner. */
const PartnerSelect = lazyPart(async () => ({ default: (await import('../place/partner-select.tsx')).PartnerSelect }));

const TYPED: Partial<Record<string, typeof NumberField | typeof DateField | typeof PartnerSelect>> = {
  number: NumberField,
  date: DateField,
  partner: PartnerSelect,
};

/** The input of one field, with what the server found wrong with it. */
export function FieldInput({ field, form, first = false }: FieldInputProps) {
  const { kind = 'text', label, description, required, maxLength, choices, none } = field;
  const key = keyOf(field.name);
  const shared = { label, description, required, ...(first && { 'data-autofocus': true }) };
  if (kind === 'switch')
    return <Switch {...{ label, description }} {...form.getInputProps(key, { type: 'checkbox' })} />;
  const Typed = TYPED[kind];
  if (Typed)
    return (
      <Suspense fallback={null}>
        <Typed {...shared} {...form.getInputProps(key)} />
      </Suspense>
    );
  if (kind === 'choice')
    return (
      <Choice
        {...shared}
        {...(none !== undefined && { none })}
        data={choices ?? []}
        value={null}
        {...form.getInputProps(key)}
      />
    );
  if (kind === 'area')
    return <Textarea {...shared} autosize minRows={3} maxLength={maxLength} {...form.getInputProps(key)} />;
  return <TextInput {...shared} type={kind} maxLength={maxLength} {...form.getInputProps(key)} />;
}

export const withKeys = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [keyOf(name), value]));

/** What a form does when it is sent. */
export interface FormAct<Result> {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly mutate: (
    values: Values,
    options: { readonly onSuccess: (result: Result) => void; readonly onError: (error: Error) => void },
  ) => void;
}

interface FormDialogProps<Result> {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action: string;
  readonly fields: readonly Field[];
  readonly initial: Values;
  readonly opened: boolean;
  readonly orgId?: string | null | undefined;
  readonly act: FormAct<Result>;
  readonly onClose: () => void;
  readonly onDone?: (result: Result) => void;
  /** Faults at fields, for refusals that name no field themselves. */
  readonly faultAt?: ((error: unknown, values: Values) => Readonly<Record<string, string>>) | undefined;
  readonly color?: string;
}

function Form<Result>(props: FormDialogProps<Result>) {
  const { text, action, fields, initial, act, onClose, onDone, faultAt, color } = props;
  const form = useForm<Values>({
    initialValues: withKeys(initial),
    onValuesChange: (now, before) => {
      for (const [name, value] of Object.entries(followersOf(fields, now, before))) form.setFieldValue(name, value);
    },
  });
  const named = () => Object.fromEntries(fields.map(({ name }) => [name, form.values[keyOf(name)] ?? null]));
  const isPlaced = Object.keys(faultAt?.(act.error, named()) ?? {}).length > 0;
  const submit = () =>
    act.mutate(named(), {
      onSuccess: (result) => {
        onClose();
        onDone?.(result);
      },
      onError: (error) => {
        const faults = withKeys({ ...fieldErrors(error), ...faultAt?.(error, named()) });
        form.setErrors(faults);
        const first = fields.map(({ name }) => keyOf(name)).find((key) => key in faults);
        if (first) form.getInputNode(first)?.focus();
      },
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
        <Refusal error={act.error} {...(!isPlaced && { fields: fields.map(({ name }) => name) })} />
        <FormActions label={action} saving={act.isPending} onCancel={onClose} {...(color && { color })} />
      </Stack>
    </form>
  );
}

/** A form in a dialog: what the server finds wrong stands at the fields, and the input stays until it is accepted. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { title, opened, onClose, orgId } = props;
  return (
    <Dialog {...{ title, opened, onClose, orgId }}>
      <Form {...props} />
    </Dialog>
  );
}
