import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldErrors, problemOf } from '../../../api/problem.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { type Draft, type Finding, isRisky } from '../model.ts';
import { EffectPanel, type ShownEffect } from './effect-panel.tsx';
import { Findings } from '../lint/findings.tsx';
import { RuleFields } from './rule-fields.tsx';

interface RuleFormProps {
  readonly orgId: string;
  readonly ruleId?: string;
  readonly draft: Draft;
  readonly saving: boolean;
  readonly error: unknown;
  /** Above the fields: how close the rule is to the request that it was made from. */
  readonly before?: ReactNode;
  /** Beside the fields: what the rule did so far. */
  readonly beside?: ReactNode;
  /** Further acts, before cancel and save. */
  readonly acts?: ReactNode;
  readonly onChange: (draft: Draft) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** What a replay found wrong with the draft, by the names of the fields. */
const simulatedErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, text]) => [path.replace(/^rule\./, ''), text]));

/** What the server refused, with the findings that the organisation does not allow. */
function RuleRefusal({ error, orgId }: { readonly error: unknown; readonly orgId: string }) {
  const findings = (problemOf(error)?.['findings'] ?? []) as readonly Finding[];
  return (
    <>
      <Refusal error={error} />
      <Findings findings={findings} orgId={orgId} />
    </>
  );
}

interface SaveBarProps extends Pick<RuleFormProps, 'saving' | 'acts' | 'onCancel'> {
  readonly isShown: boolean;
  readonly warned: boolean;
}

function SaveBar({ saving, acts, onCancel, isShown, warned }: SaveBarProps) {
  const words = useTranslations('rules');
  return (
    <Group justify="flex-end">
      <Text size="sm" c="dimmed">
        {isShown ? '' : words('effect.waiting')}
      </Text>
      {acts}
      <Button variant="default" onClick={onCancel}>
        {words('cancel')}
      </Button>
      <Button type="submit" loading={saving} disabled={!isShown}>
        {words(warned ? 'saveRisky' : 'save')}
      </Button>
    </Group>
  );
}

/** The editor of a rule beside its effect; it can be saved when the effect shown is that of the present draft. */
export function RuleForm(props: RuleFormProps) {
  const { orgId, ruleId, draft, saving, error, before, beside, acts, onChange, onSave, onCancel } = props;
  const words = useTranslations('rules');
  const [shown, setShown] = useState<ShownEffect | null>(null);
  const [warnedOf, setWarnedOf] = useState<Draft | null>(null);
  const isShown = shown?.draft === draft && shown.error === null;
  const isAsked = isShown && isRisky(draft, shown.findings);
  const warned = isAsked && warnedOf === draft;
  const save = () => (isAsked && !warned ? setWarnedOf(draft) : onSave());
  const errors = { ...simulatedErrors(shown?.error), ...fieldErrors(error) };
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
          <RuleFields
            {...{ draft, orgId, errors }}
            isNew={ruleId === undefined}
            onChange={(part) => onChange({ ...draft, ...part })}
          />
        </Stack>
        <Stack>
          <EffectPanel orgId={orgId} {...(ruleId && { ruleId })} draft={draft} onShown={setShown} />
          {beside}
        </Stack>
      </div>
      <Stack gap="xs" mt="md">
        {warned && (
          <Alert color="orange" role="alert">
            {words('risky')}
          </Alert>
        )}
        <RuleRefusal error={error} orgId={orgId} />
        <SaveBar {...{ saving, acts, onCancel, isShown, warned }} />
      </Stack>
    </form>
  );
}
