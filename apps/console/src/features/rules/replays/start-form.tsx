import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan } from '../../../api/me.ts';
import { problemOf } from '../../../api/problem.ts';
import { FLOWS } from '../../../ui/elevation/request.ts';
import { Choice, NumberField } from '../../../ui/forms/inputs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import type { Rule } from '../model.ts';
import { useRuleAct } from '../queries.ts';
import { type Candidate, changesOf, type Unmatched, UNCHANGED } from './candidate.ts';
import { startReplay } from './queries.ts';
import '../../../ui/elevation/words.ts';

const USUAL_DAYS = 30;
const MAX_DAYS = 90;
const UNMATCHED = ['require_approval', 'auto_deny'] as const;

type Flow = (typeof FLOWS)[number];

interface StartFormProps {
  readonly orgId: string;
  readonly rules: readonly Rule[];
  readonly candidate: Candidate;
  readonly onChange: (candidate: Candidate) => void;
}

interface Period {
  readonly name: string;
  readonly windowDays: number | '';
  readonly flowType: Flow | null;
}

interface PeriodFieldsProps {
  readonly period: Period;
  readonly onChange: (period: Period) => void;
}

function PeriodFields({ period, onChange }: PeriodFieldsProps) {
  const words = useTranslations('rules.replays');
  const flowWords = useTranslations('elevation.flow');
  return (
    <>
      <TextInput
        label={words('name')}
        {...inputLimits('POST /pam/replays', 'name')}
        value={period.name}
        onChange={({ currentTarget }) => onChange({ ...period, name: currentTarget.value })}
      />
      <NumberField
        label={words('days')}
        required
        min={1}
        max={MAX_DAYS}
        value={period.windowDays}
        onChange={(windowDays) => onChange({ ...period, windowDays })}
      />
      <Choice
        label={words('flow')}
        none={words('allFlows')}
        data={FLOWS.map((value) => ({ value, label: flowWords(value) }))}
        value={period.flowType}
        onChange={(flowType) => onChange({ ...period, flowType })}
      />
    </>
  );
}

interface UnmatchedFieldProps {
  readonly value: Unmatched | null;
  readonly onChange: (value: Unmatched | null) => void;
}

function UnmatchedField({ value, onChange }: UnmatchedFieldProps) {
  const words = useTranslations('rules');
  return (
    <Choice
      label={words('replays.unmatched')}
      none={words('replays.unmatchedKept')}
      data={UNMATCHED.map((one) => ({ value: one, label: words(`verdicts.${one}`) }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** The changes that the server cannot make, in its words. */
function Issues({ error }: { readonly error: unknown }) {
  const issues = problemOf(error)?.issues ?? [];
  return (
    <List size="sm">
      {issues.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>
          {path}: {message}
        </List.Item>
      ))}
    </List>
  );
}

/** Starts a replay of the candidate. */
export function StartForm({ orgId, rules, candidate, onChange }: StartFormProps) {
  const words = useTranslations('rules.replays');
  const navigate = useNavigate();
  const [period, setPeriod] = useState<Period>({ name: '', windowDays: USUAL_DAYS, flowType: null });
  const act = useRuleAct(startReplay);
  const changes = changesOf(rules, candidate);
  const { unmatched } = candidate;
  const isEmpty = changes.length === 0 && unmatched === null;
  const start = () => {
    const { name, windowDays, flowType } = period;
    const further = { ...(flowType && { flowType }), ...(unmatched && { defaultUnmatchedVerdict: unmatched }) };
    const body = { orgId, changes, name: name.trim() || null, ...(windowDays !== '' && { windowDays }), ...further };
    const open = ({ jobId }: { jobId: string }) =>
      void navigate({ to: '/orgs/$orgId/replays/$replayId', params: { orgId, replayId: jobId } });
    act.mutate(body, { onSuccess: open });
  };
  if (!useCan()('POST /pam/replays')) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <Stack className="gh-card">
        <UnmatchedField value={unmatched} onChange={(value) => onChange({ ...candidate, unmatched: value })} />
        <PeriodFields period={period} onChange={setPeriod} />
        <Text size="sm">{words('count', { count: changes.length })}</Text>
        <Refusal error={act.error} />
        <Issues error={act.error} />
        <Group justify="flex-end">
          <Button variant="default" disabled={isEmpty} onClick={() => onChange(UNCHANGED)}>
            {words('forget')}
          </Button>
          <Button type="submit" loading={act.isPending} disabled={isEmpty}>
            {words('start')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
