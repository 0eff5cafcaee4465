import { Alert, Button, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldErrors } from '../../../api/problem.ts';
import { NumberField } from '../../../ui/forms/number-field.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { type Draft, isRisky, type Verdict, VERDICTS } from '../model.ts';
import { sitesQuery } from '../queries.ts';
import { CriteriaFields } from './criteria-fields.tsx';
import { EffectPanel } from './effect-panel.tsx';
import { TimeWindowFields } from './time-window-fields.tsx';

const NAME_MAX = 255;
const MINUTES_MAX = 1440;

interface FieldsProps {
  readonly draft: Draft;
  readonly orgId: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<Draft>) => void;
}

function Conclusion({ draft, orgId, errors, onChange }: FieldsProps) {
  const words = useTranslations('rules');
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  return (
    <Stack>
      <Select
        label={words('verdict')}
        data={VERDICTS.map((value) => ({ value, label: words(`verdicts.${value}`) }))}
        value={draft.verdict}
        error={errors['verdict']}
        allowDeselect={false}
        onChange={(verdict) => verdict && onChange({ verdict: verdict as Verdict })}
      />
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
      <Select
        label={words('site')}
        placeholder={words('wholeOrganization')}
        data={sites.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.siteId}
        error={errors['siteId']}
        clearable
        searchable
        onChange={(siteId) => onChange({ siteId })}
      />
      <NumberField
        label={words('priority')}
        min={0}
        value={draft.priority}
        error={errors['priority']}
        onChange={(priority) => onChange({ priority })}
      />
      <Switch
        label={words('enabled')}
        checked={draft.enabled}
        onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })}
      />
    </Stack>
  );
}

function Fields(props: FieldsProps) {
  const words = useTranslations('rules');
  const { draft, errors, onChange } = props;
  return (
    <Stack className="gh-card">
      <TextInput
        label={words('name')}
        required
        maxLength={NAME_MAX}
        value={draft.name}
        error={errors['name']}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <Title order={2}>{words('criteria')}</Title>
      <CriteriaFields {...props} />
      <TimeWindowFields value={draft.timeWindow} errors={errors} onChange={(timeWindow) => onChange({ timeWindow })} />
      <Conclusion {...props} />
    </Stack>
  );
}

interface RuleFormProps {
  readonly orgId: string;
  readonly ruleId?: string;
  readonly initial: Draft;
  readonly saving: boolean;
  readonly error: unknown;
  /** Above the fields: how close the rule is to the request that it was made from. */
  readonly before?: ReactNode;
  readonly onSave: (draft: Draft) => void;
  readonly onCancel: () => void;
}

/** The editor of a rule beside its effect; it can be saved when the effect shown is that of the present draft. */
export function RuleForm({ orgId, ruleId, initial, saving, error, before, onSave, onCancel }: RuleFormProps) {
  const words = useTranslations('rules');
  const [draft, setDraft] = useState(initial);
  const [shown, setShown] = useState<Draft | null>(null);
  const [warned, setWarned] = useState(false);
  const risky = isRisky(draft);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setWarned(false);
  };
  const save = () => (risky && !warned ? setWarned(true) : onSave(draft));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="gh-columns">
        <Stack>
          {before}
          <Fields draft={draft} orgId={orgId} errors={fieldErrors(error)} onChange={change} />
        </Stack>
        <EffectPanel orgId={orgId} {...(ruleId && { ruleId })} draft={draft} onShown={setShown} />
      </div>
      <Stack gap="xs" mt="md">
        {risky && warned && (
          <Alert color="orange" role="alert">
            {words('risky')}
          </Alert>
        )}
        <Refusal error={error} />
        <Group justify="flex-end">
          <Text size="sm" c="dimmed">
            {shown === draft ? '' : words('effect.computing')}
          </Text>
          <Button variant="default" onClick={onCancel}>
            {words('cancel')}
          </Button>
          <Button type="submit" loading={saving} disabled={shown !== draft}>
            {words(risky && warned ? 'saveRisky' : 'save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
