import { Badge, Code, Text } from '@mantine/core';
import type { DataOf } from '@gatehouse/client';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';

export type TracedAttempt = DataOf<'/sso/attempts/{id}', 'get'>['data'];
type Step = TracedAttempt['trace']['steps'][number];

const OUTCOME_COLORS = { ok: 'green', failed: 'red', noted: 'yellow', skipped: 'gray' } as const;

/** Enough of a value to tell which one it is: the first letter, and what follows an @. */
const maskedText = (text: string): string => text.replace(/^(.)[^@]*/su, '$1•••');

function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  return Array.isArray(value) ? value.map(masked) : value;
}

/** The claims of a person are masked: what matters is which of them there are. */
function shownFacts({ claims, ...facts }: Readonly<Record<string, unknown>>): object {
  if (typeof claims !== 'object' || claims === null) return facts;
  const shown = Object.entries(claims).map(([name, value]) => [name, masked(value)] as const);
  return { ...facts, claims: Object.fromEntries(shown) };
}

function Reason({ step: { code, detail } }: { readonly step: Step }) {
  const words = useTranslations('signOn.attempts');
  if (!code && !detail) return null;
  // Not every code asks for something to be done.
  const next = code && (`next.${code}` as never);
  return (
    <>
      {code && words(`codes.${code}`)}
      {detail && <Text className="gh-hint">{detail}</Text>}
      {next && words.has(next) && <Text size="sm">{words(next)}</Text>}
    </>
  );
}

/** The steps of a sign-in or a test: how each ended, why, and what to do about it. */
export function Trace({ steps }: { readonly steps: readonly Step[] }) {
  const words = useTranslations('signOn.attempts');
  const columns: readonly Column<Step>[] = [
    { id: 'step', header: words('step'), cell: ({ step }) => words(`steps.${step}`) },
    {
      id: 'outcome',
      header: words('outcome'),
      cell: ({ outcome }) => <Badge color={OUTCOME_COLORS[outcome]}>{words(`outcomes.${outcome}`)}</Badge>,
    },
    { id: 'why', header: words('why'), cell: (step) => <Reason step={step} /> },
    {
      id: 'facts',
      header: words('facts'),
      cell: ({ facts }) =>
        Object.keys(facts).length > 0 && (
          <Code block className="gh-wrapped">
            {JSON.stringify(shownFacts(facts), null, 2)}
          </Code>
        ),
    },
  ];
  return <DataTable label={words('trace')} columns={columns} rows={steps} idOf={({ step }) => step} />;
}
