import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldErrors, problemOf } from '../../../api/problem.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { type Draft, type Finding, isComplete, isRisky } from '../model.ts';
import { EffectPanel, type ShownEffect } from '../effect/effect-panel.tsx';
import { Findings } from '../lint/findings.tsx';
import { RuleFields } from './rule-fields.tsx';

interface RuleFormProps {
  /** Null for a rule of the partner, which is not replayed: its effect differs in each organisation. */
  readonly orgId: string | null;
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
function RuleRefusal({ error, orgId }: Pick<RuleFormProps, 'error' | 'orgId'>) {
  const findings = (problemOf(error)?.['findings'] ?? []) as readonly Finding[];
  return (
    <>
      <Refusal error={error} />
      {orgId !== null && <Findings findings={findings} orgId={orgId} />}
    </>
  );
}

interface SaveBarProps extends Pick<RuleFormProps, 'saving' | 'acts' | 'onCancel'> {
  readonly isNew: boolean;
  readonly isReady: boolean;
  /** What is waited for. */
  readonly awaited: string;
  readonly warned: boolean;
}

function SaveBar({ isNew, saving, acts, onCancel, isReady, awaited, warned }: SaveBarProps) {
  const words = useTranslations('rules');
  const uiWords = useTranslations('ui');
  return (
    <Group justify="flex-end">
      <Text className="gh-hint">{isReady ? '' : awaited}</Text>
      {acts}
      <Button variant="default" onClick={onCancel}>
        {words('cancel')}
      </Button>
      <Button type="submit" loading={saving} disabled={!isReady}>
        {warned ? words(isNew ? 'createRisky' : 'saveRisky') : uiWords(isNew ? 'create' : 'save')}
      </Button>
    </Group>
  );
}

/** A draft is saved once its effect is shown, if it has one to show; a risky one needs a second press. */
function useSaving({ orgId, draft, onSave }: RuleFormProps, shown: ShownEffect | null) {
  const [warnedOf, setWarnedOf] = useState<Draft | null>(null);
  const isShown = shown?.draft === draft && shown.error === null;
  const isReady = orgId === null ? isComplete(draft) : isShown;
  const isAsked = isReady && isRisky(draft, shown?.findings ?? []);
  const warned = isAsked && warnedOf === draft;
  return { isReady, warned, save: () => (isAsked && !warned ? setWarnedOf(draft) : onSave()) };
}

/** The editor of a rule beside its effect; it can be saved when the effect shown is that of the present draft. */
export function RuleForm(props: RuleFormProps) {
  const { orgId, ruleId, draft, saving, error, before, beside, acts, onChange, onCancel } = props;
  const words = useTranslations('rules');
  const isNew = ruleId === undefined;
  const [shown, setShown] = useState<ShownEffect | null>(null);
  const { isReady, warned, save } = useSaving(props, shown);
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
          <RuleFields {...{ draft, orgId, errors, isNew }} onChange={(part) => onChange({ ...draft, ...part })} />
        </Stack>
        <Stack>
          {orgId !== null && <EffectPanel orgId={orgId} {...(ruleId && { ruleId })} draft={draft} onShown={setShown} />}
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
        <SaveBar
          {...{ isNew, saving, acts, onCancel, isReady, warned }}
          awaited={words(isComplete(draft) ? 'effect.waiting' : 'incomplete')}
        />
      </Stack>
    </form>
  );
}
