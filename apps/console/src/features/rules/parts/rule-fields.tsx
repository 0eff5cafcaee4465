import { Checkbox, Group, Radio, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import { inputLimits } from '../../../api/limits.ts';
import { Choice, DateField, NumberField } from '../../../ui/forms/inputs.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { dayOf, endOfDay } from '../../../ui/text/days.ts';
import { type Draft, type Verdict, verdictsAt } from '../model.ts';
import { sitesQuery } from '../../../ui/place/queries.ts';
import { CriteriaFields } from './criteria-fields.tsx';

/** Loaded for the rules that have a window. */
const TimeWindow = lazyPart(async () => ({ default: (await import('./time-window.tsx')).TimeWindow }));

interface TimeWindowFieldsProps {
  readonly value: Draft['timeWindow'];
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (value: Draft['timeWindow']) => void;
}

const WORKING_DAYS = [1, 2, 3, 4, 5];
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Restricts a rule to hours and days. */
function TimeWindowFields({ value, errors, onChange }: TimeWindowFieldsProps) {
  const words = useTranslations('rules');
  const toggle = (on: boolean) =>
    onChange(on ? { start: '08:00', end: '17:00', days: WORKING_DAYS, timezone: zoneHere() } : null);
  return (
    <Stack gap="xs">
      <Checkbox
        label={words('window')}
        checked={value !== null}
        onChange={({ currentTarget }) => toggle(currentTarget.checked)}
      />
      <Suspense fallback={null}>{value && <TimeWindow {...{ value, errors, onChange }} />}</Suspense>
    </Stack>
  );
}

/** Searches a long list, so it comes after the other fields. */
const AfterRule = lazyPart(async () => ({ default: (await import('../list/after-rule.tsx')).AfterRule }));
const PartnerPlaceFields = lazyPart(async () => ({
  default: (await import('../partner/partner-place-fields.tsx')).PartnerPlaceFields,
}));
const MINUTES_MAX = 1440;

interface FieldsProps {
  readonly draft: Draft;
  /** Null for a rule of the partner. */
  readonly orgId: string | null;
  /** Whether the rule does not exist yet: one that does is moved in its list. */
  readonly isNew: boolean;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<Draft>) => void;
}

function VerdictField({ draft, errors, onChange }: FieldsProps) {
  const words = useTranslations('rules');
  return (
    <Radio.Group
      label={words('verdict')}
      value={draft.verdict}
      error={errors['verdict']}
      onChange={(verdict) => onChange({ verdict: verdict as Verdict })}
    >
      <Group gap="md" mt={4}>
        {verdictsAt(draft.precedence).map((value) => (
          <Radio key={value} value={value} label={words(`verdicts.${value}`)} />
        ))}
      </Group>
    </Radio.Group>
  );
}

function PriorityField({ draft, errors, onChange }: FieldsProps) {
  const words = useTranslations('rules');
  return (
    <NumberField
      label={words('priority')}
      description={words('priorityText')}
      min={0}
      value={draft.priority}
      error={errors['priority']}
      onChange={(priority) => onChange({ priority, after: null })}
    />
  );
}

function PlaceFields(props: FieldsProps & { readonly orgId: string }) {
  const { draft, orgId, isNew, errors, onChange } = props;
  const words = useTranslations('rules');
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  return (
    <>
      <Choice
        label={words('site')}
        none={words('wholeOrganization')}
        data={sites.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.siteId}
        error={errors['siteId']}
        onChange={(siteId) => onChange({ siteId })}
      />
      <PriorityField {...props} />
      {isNew && (
        <Suspense fallback={null}>
          <AfterRule
            orgId={orgId}
            description={words(draft.after === null ? 'move.afterText' : 'move.noRoomText')}
            onChoose={({ id, priority }, own) =>
              onChange({ priority: own ?? priority, after: own === null ? id : null })
            }
          />
        </Suspense>
      )}
    </>
  );
}

/** How long the rule lives, and whether it decides. */
function LifeFields({ draft, orgId, errors, onChange }: FieldsProps) {
  const words = useTranslations('rules');
  return (
    <>
      <DateField
        label={words('expires')}
        description={words('expiresText')}
        min={dayOf(new Date(serverNow()).toISOString())}
        value={dayOf(draft.expiresAt)}
        error={errors['expiresAt']}
        onChange={(day) => onChange({ expiresAt: endOfDay(day) ?? null })}
      />
      {orgId !== null && (
        <Switch
          label={words('watchOnly')}
          description={words('watchOnlyText')}
          checked={draft.mode === 'shadow'}
          onChange={({ currentTarget }) => onChange({ mode: currentTarget.checked ? 'shadow' : 'live' })}
        />
      )}
      <Switch
        label={words('enabled')}
        checked={draft.enabled}
        onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })}
      />
    </>
  );
}

/** The fields of a rule. */
export function RuleFields(props: FieldsProps) {
  const words = useTranslations('rules');
  const { draft, orgId, errors, onChange } = props;
  return (
    <Stack className="gh-card">
      <TextInput
        label={words('name')}
        required
        {...inputLimits('POST /pam/rules', 'name')}
        value={draft.name}
        error={errors['name']}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <Suspense fallback={null}>{orgId === null && <PartnerPlaceFields {...{ draft, errors, onChange }} />}</Suspense>
      <Title order={2}>{words('criteria')}</Title>
      <CriteriaFields {...props} />
      <TimeWindowFields value={draft.timeWindow} errors={errors} onChange={(timeWindow) => onChange({ timeWindow })} />
      <VerdictField {...props} />
      {draft.verdict === 'auto_approve' && (
        <NumberField
          label={words('minutes')}
          min={1}
          max={MINUTES_MAX}
          value={draft.minutes}
          error={errors['approvalDurationMinutes']}
          onChange={(minutes) => onChange({ minutes })}
        />
      )}
      {orgId === null ? <PriorityField {...props} /> : <PlaceFields {...props} orgId={orgId} />}
      <LifeFields {...props} />
    </Stack>
  );
}
