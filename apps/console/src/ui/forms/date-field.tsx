import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { IconCalendar } from '../icons.tsx';
import { EXAMPLE, patternOf, readDate } from './read-date.ts';

interface DateProps {
  /** `2026-11-27`, with a time `2026-11-27T14:30`; empty for none. */
  readonly value?: string;
  readonly withTime?: boolean;
  readonly min?: TextInputProps['min'];
  readonly onChange: (value: string) => void;
}

/** The browser's own date field lies unseen below the button that opens its calendar. */
function Calendar({ value, withTime, min, onChange }: DateProps) {
  const words = useTranslations('ui');
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        className="gh-calendar"
        type={withTime ? 'datetime-local' : 'date'}
        tabIndex={-1}
        aria-hidden
        {...{ value, min }}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <ActionIcon variant="subtle" aria-label={words('calendar')} onClick={() => field.current?.showPicker()}>
        <IconCalendar size={16} />
      </ActionIcon>
    </>
  );
}

/** What is being typed, as long as the value is what it gave. */
interface Typed {
  readonly text: string;
  readonly value: string;
  readonly isDate: boolean;
}

/** The text of a field: what is being typed, else the value as dates are written everywhere. */
function useText({ value = '', withTime = false, onChange }: DateProps) {
  const format = useFormatter();
  const [typed, setTyped] = useState<Typed | null>(null);
  const write = (date: Date): string => format.dateTime(date, withTime ? 'moment' : 'day');
  const pattern = patternOf(write(EXAMPLE));
  const present = typed?.value === value ? typed : null;
  return {
    // A date without a time would be one of UTC.
    text: present?.text ?? (value && write(new Date(withTime ? value : `${value}T00:00`))),
    isDate: present?.isDate !== false,
    pattern,
    example: write(EXAMPLE),
    type: (text: string) => {
      const read = readDate(text, pattern);
      const next = read ?? value;
      setTyped({ text, value: next, isDate: read !== null });
      if (next !== value) onChange(next);
    },
    leave: () => setTyped(present?.isDate === false ? present : null),
  };
}

export type DateFieldProps = DateProps & Omit<TextInputProps, keyof DateProps | 'type'>;

/**
 * A day or a moment, written as everywhere else; browsers write those of their own fields by settings of their own. It
 * is typed, or chosen in the browser's calendar. A form with a text that is no date is not sent.
 */
export function DateField({ value, withTime, min, error, onBlur, onChange, ...props }: DateFieldProps) {
  const words = useTranslations('ui');
  const field = { value: value ?? '', withTime: withTime ?? false, min, onChange };
  const { text, isDate, pattern, example, type, leave } = useText(field);
  const [isLeft, setLeft] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const fault = isDate ? '' : words('unreadDate', { example });
  useEffect(() => input.current?.setCustomValidity(fault), [fault]);
  return (
    <TextInput
      {...props}
      ref={input}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={pattern}
      value={text}
      error={(isLeft && fault) || error}
      onFocus={() => setLeft(false)}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={(event) => {
        onBlur?.(event);
        setLeft(true);
        leave();
      }}
      rightSection={<Calendar {...field} />}
    />
  );
}
