import { Code, Group } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { fieldErrors } from '../../../api/problem.ts';
import type { JustificationPolicy } from '../../../ui/elevation/justification.ts';
import type { Field, Values } from '../../../ui/forms/fields.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { readJustificationPolicy, updateJustificationPolicy } from '../queries.ts';
import { SettingsCard } from './settings-card.tsx';

const REASON_MODES = ['optional', 'required'] as const;
const TICKET_MODES = ['off', 'optional', 'required'] as const;

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

/** What a form holds as one line each. */
export const linesOf = (text: string): string[] =>
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

/** What is wrong with one line stands at the field of all. */
export const linesFault =
  (...names: readonly string[]) =>
  (error: unknown): Readonly<Record<string, string>> => {
    const faults = Object.entries(fieldErrors(error));
    const found = names.map((name) => [name, faults.find(([path]) => path.startsWith(name))?.[1]] as const);
    return Object.fromEntries(found.flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault]])));
  };
export const masksFault = linesFault(MASKS);

const HINT_MAX = 200;

interface CardProps {
  readonly policy: JustificationPolicy;
}

function useFields(): readonly Field[] {
  const words = useTranslations('capture.justification');
  return [
    {
      name: 'reason.mode',
      label: words('reason'),
      kind: 'choice',
      required: true,
      choices: REASON_MODES.map((value) => ({ value, label: words(`reasonModes.${value}`) })),
    },
    {
      name: 'reason.minLetters',
      label: words('minLetters'),
      description: words('minLettersText'),
      kind: 'number',
      required: true,
      when: (values) => values['reason.mode'] === 'required',
    },
    {
      name: 'ticket.mode',
      label: words('ticket'),
      kind: 'choice',
      required: true,
      choices: TICKET_MODES.map((value) => ({ value, label: words(`ticketModes.${value}`) })),
    },
    {
      name: 'ticket.masks',
      label: words('masks'),
      description: words('masksText'),
      kind: 'area',
      when: (values) => values['ticket.mode'] !== 'off',
    },
    {
      name: 'ticket.hint',
      label: words('hint'),
      maxLength: HINT_MAX,
      when: (values) => values['ticket.mode'] !== 'off',
    },
    { name: 'prompts.hold', label: words('hold'), description: words('holdText'), kind: 'switch' },
  ];
}

function Masks({ masks }: { readonly masks: readonly string[] }) {
  const words = useTranslations('capture.justification');
  if (masks.length === 0) return words('anyForm');
  return (
    <Group gap={6}>
      {masks.map((mask) => (
        <Code key={mask}>
          <SafeText value={mask} />
        </Code>
      ))}
    </Group>
  );
}

/** What an organisation asks for as a reason and a ticket. */
export function JustificationCard({ policy }: CardProps) {
  const words = useTranslations('capture.justification');
  const uiWords = useTranslations('ui');
  const { reason, ticket, prompts } = policy;
  const hasTickets = ticket.mode !== 'off';
  return (
    <SettingsCard
      title={words('title')}
      change={words('change')}
      facts={[
        { name: words('reason'), value: words(`reasonModes.${reason.mode}`) },
        { name: words('minLetters'), value: reason.mode === 'required' ? reason.minLetters : null },
        { name: words('ticket'), value: words(`ticketModes.${ticket.mode}`) },
        { name: words('masks'), value: hasTickets ? <Masks masks={ticket.masks} /> : null },
        { name: words('hint'), value: hasTickets ? ticket.hint : null },
        { name: words('hold'), value: uiWords(prompts.hold ? 'yes' : 'no') },
      ]}
      text={words('pendingText')}
      needs="PUT /pam/justification-policy"
      audited="pam.justification_policy.update"
      fields={useFields()}
      stored={policy}
      valuesOf={justificationValues}
      read={() => readJustificationPolicy(policy.orgId)}
      save={(stored, values) => updateJustificationPolicy(stored, justificationBody(values))}
      faultAt={masksFault}
    />
  );
}
