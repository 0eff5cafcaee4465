import { fieldErrors } from '../../api/problem.ts';
import type { JustificationPolicy } from '../../ui/elevation/justification.ts';
import type { Values } from '../../ui/forms/fields.ts';

export const REASON_MODES = ['optional', 'required'] as const;
export const TICKET_MODES = ['off', 'optional', 'required'] as const;

const MASKS = 'ticket.masks';

/** A policy as a form holds it: one mask a line. */
export const justificationValues = ({ reason, ticket, prompts }: JustificationPolicy): Values => ({
  'reason.mode': reason.mode,
  'reason.minLetters': reason.minLetters,
  'ticket.mode': ticket.mode,
  [MASKS]: ticket.masks.join('\n'),
  'ticket.hint': ticket.hint ?? '',
  'prompts.hold': prompts.hold,
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The whole policy, which the server replaces: what the form hides stays as it was. */
export const justificationBody = (values: Values) => ({
  reason: {
    mode: REASON_MODES.find((mode) => mode === values['reason.mode']) ?? 'optional',
    minLetters: Number(values['reason.minLetters']),
  },
  ticket: {
    mode: TICKET_MODES.find((mode) => mode === values['ticket.mode']) ?? 'off',
    masks: linesOf(String(values[MASKS] ?? '')),
    hint: String(values['ticket.hint'] ?? '').trim() || null,
  },
  prompts: { hold: values['prompts.hold'] === true },
});

/** What is wrong with one mask stands at the field of all. */
export function masksFault(error: unknown): Readonly<Record<string, string>> {
  const found = Object.entries(fieldErrors(error)).find(([path]) => path.startsWith(MASKS));
  return found ? { [MASKS]: found[1] } : {};
}
