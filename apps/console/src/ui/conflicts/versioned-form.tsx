import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { codeOf } from '../../api/problem.ts';
import type { Field, Values } from '../forms/fields.ts';
import { type FormAct, FormDialog } from '../forms/form-dialog.tsx';
import { useAct } from '../forms/act-button.tsx';
import { notifySaved } from '../notify.ts';
import { SafeText } from '../text/safe-text.tsx';
import type { Versioned } from './last-save.ts';
import { type AuditAction, type Choice, VersionConflict } from './version-conflict.tsx';

export interface VersionedFormProps<Stored> {
  readonly title: string;
  /** The record's name. */
  readonly name: string;
  readonly orgId?: string | null | undefined;
  readonly text?: string | undefined;
  readonly action: string;
  readonly fields: readonly Field[];
  /** The record as the screen shows it. */
  readonly stored: Stored;
  /** What the form holds of a record. */
  readonly valuesOf: (stored: Stored) => Values;
  /** Saves the values over the version that they were made from. */
  readonly save: (stored: Stored, values: Values) => Promise<unknown>;
  /** Reads the record as it is stored now. */
  readonly read: () => Promise<Stored>;
  /** Faults at fields, for refusals that name no field themselves. */
  readonly faultAt?: ((error: unknown, values: Values) => Readonly<Record<string, string>>) | undefined;
  readonly changes: readonly string[];
  /** What the log calls a save of the record. */
  readonly audited: AuditAction;
  readonly onDone?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** What was typed; each line by itself where a field has several. */
function Typed({ text, field }: { readonly text: string; readonly field: Field | undefined }) {
  if (field?.kind !== 'area') return <SafeText value={text} />;
  return text.split('\n').map((line, at) => (
    <div key={at}>
      <SafeText value={line} />
    </div>
  ));
}

/** The values of members as the form's own fields name them. */
function useShown(fields: readonly Field[]) {
  const words = useTranslations('ui');
  return (member: string, value: unknown) => {
    if (value === null || value === undefined || value === '') return words('none');
    if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
    const field = fields.find(({ name }) => name === member);
    const label = field?.choices?.find((choice) => choice.value === value)?.label;
    return label ?? <Typed text={String(value as string | number)} field={field} />;
  };
}

/** The record that the form began with, what is typed, and what is to be done when another person came first. */
function useVersioned<Stored>({ stored, changes, onClose, ...props }: VersionedFormProps<Stored>) {
  // As the form was opened: the row behind it is read anew when another person saves, and may be another one then.
  const [{ name, valuesOf, save, read }] = useState(props);
  const [base, setBase] = useState(stored);
  const [initial, setInitial] = useState(() => valuesOf(stored));
  const [sent, setSent] = useState(initial);
  const [attempt, setAttempt] = useState(0);
  const act = useAct(changes, ({ over, values }: { over: Stored; values: Values }) => save(over, values));
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  const form: FormAct<unknown> = {
    error: isConflict ? null : act.error,
    isPending: act.isPending,
    mutate: (values, options) => {
      setSent(values);
      act.mutate({ over: base, values }, options);
    },
  };
  const onSuccess = () => {
    onClose();
    (props.onDone ?? notifySaved)();
  };
  const settle = (choice: Choice, latest: Stored, merged: Values) => {
    act.reset();
    if (choice === 'theirs') return onClose();
    setBase(latest);
    setInitial(merged);
    setSent(merged);
    setAttempt(attempt + 1);
    if (choice === 'mine') act.mutate({ over: latest, values: merged }, { onSuccess });
  };
  return { base, initial, sent, attempt, act, form, isConflict, settle, name, valuesOf, read };
}

/**
 * A form for a record with a version. When another person has saved the record since the form was opened, both values
 * stand side by side.
 */
export function VersionedForm<Stored extends Versioned>(props: VersionedFormProps<Stored>) {
  const { title, orgId, text, action, audited, fields, faultAt, onClose } = props;
  const { base, initial, sent, attempt, act, form, isConflict, settle, name, valuesOf, read } = useVersioned(props);
  const show = useShown(fields);
  return (
    <>
      <FormDialog
        key={attempt}
        {...{ title, orgId, text, action, fields, initial, faultAt, onClose }}
        opened
        act={form}
        onDone={props.onDone ?? (() => notifySaved())}
      />
      {isConflict && (
        <VersionConflict
          {...{ audited, error: act.error, read }}
          about={name}
          membersOf={valuesOf}
          base={valuesOf(base)}
          own={sent}
          nameOf={(member) => fields.find(({ name }) => name === member)?.label ?? member}
          show={show}
          onChoose={(choice, latest, merged) => settle(choice, latest, merged as Values)}
          onClose={act.reset}
        />
      )}
    </>
  );
}
