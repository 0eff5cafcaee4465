import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { hintOf, type JustificationPolicy, ticketFaultOf } from './justification.ts';
import './words.ts';

const TICKET_MAX = 100;

interface TicketFieldProps {
  readonly value: string;
  /** What the server refused; it stands at the field if it concerns the ticket. */
  readonly error: unknown;
  readonly policy: JustificationPolicy | undefined;
  readonly required?: boolean;
  readonly onChange: (value: string) => void;
}

/** The number of a ticket, with what the organisation tells people about its tickets. A refused one gets the focus. */
export function TicketField({ value, error, policy, required = false, onChange }: TicketFieldProps) {
  const words = useTranslations('elevation');
  const input = useRef<HTMLInputElement>(null);
  const fault = ticketFaultOf(error);
  useEffect(() => {
    if (ticketFaultOf(error)) input.current?.focus();
  }, [error]);
  return (
    <TextInput
      ref={input}
      label={words('ticket')}
      description={hintOf(error, policy)}
      required={required}
      maxLength={TICKET_MAX}
      autoComplete="off"
      data-autofocus={fault !== undefined || undefined}
      value={value}
      error={fault}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
