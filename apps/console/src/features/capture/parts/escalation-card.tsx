import { List } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Field } from '../../../ui/forms/fields.ts';
import { asksOf, escalationBody, escalationValues, flowOf, isSet, minutesOf, stepFaults, STEPS } from '../model.ts';
import { type EscalationPolicy, FLOW_TYPES, readEscalationPolicy, updateEscalationPolicy } from '../queries.ts';
import { SettingsCard } from './settings-card.tsx';

interface CardProps {
  readonly policy: EscalationPolicy;
}

/** The minutes of a step appear with those of the step before. */
function useFields(): readonly Field[] {
  const words = useTranslations('capture.escalation');
  const flowWords = useTranslations('capture.flows');
  const ofStep = (step: number): Field[] => [
    {
      name: minutesOf(step),
      label: words('minutes', { step }),
      description: words('minutesText'),
      kind: 'number',
      when: (values) => step === 1 || isSet(values, step - 1) || isSet(values, step),
    },
    {
      name: asksOf(step),
      label: words('asks', { step }),
      kind: 'switch',
      when: (values) => isSet(values, step),
    },
  ];
  return [
    ...STEPS.flatMap(ofStep),
    ...FLOW_TYPES.map((flow): Field => ({
      name: flowOf(flow),
      label: words('flow', { flow: flowWords(flow) }),
      kind: 'switch',
    })),
    { name: 'tellDevice', label: words('tellDevice'), description: words('tellDeviceText'), kind: 'switch' },
    { name: 'tellRequester', label: words('tellRequester'), kind: 'switch' },
  ];
}

function Steps({ policy: { steps } }: CardProps) {
  const words = useTranslations('capture.escalation');
  if (steps.length === 0) return words('noSteps');
  return (
    <List size="sm" spacing={4}>
      {steps.map(({ step, afterMinutes: minutes, askAllApprovers }) => (
        <List.Item key={step}>{words('step', { step, minutes, asks: String(askAllApprovers) })}</List.Item>
      ))}
    </List>
  );
}

/** What happens while requests of an organisation wait, and who hears how they end. */
export function EscalationCard({ policy }: CardProps) {
  const words = useTranslations('capture.escalation');
  const flowWords = useTranslations('capture.flows');
  const uiWords = useTranslations('ui');
  const { flowTypes, tellDevice, tellRequester } = policy;
  return (
    <SettingsCard
      title={words('title')}
      change={words('change')}
      facts={[
        { name: words('steps'), value: <Steps policy={policy} /> },
        { name: words('flows'), value: flowTypes?.map((flow) => flowWords(flow)).join(', ') ?? words('anyFlow') },
        { name: words('tellDevice'), value: uiWords(tellDevice ? 'yes' : 'no') },
        { name: words('tellRequester'), value: uiWords(tellRequester ? 'yes' : 'no') },
      ]}
      text={words('text')}
      needs="PUT /pam/escalation-policy"
      audited="pam.escalation_policy.update"
      fields={useFields()}
      stored={policy}
      valuesOf={escalationValues}
      read={() => readEscalationPolicy(policy.orgId)}
      save={(stored, values) => updateEscalationPolicy(stored, escalationBody(values))}
      faultAt={(error, values) => stepFaults(error, values, words('ascending'))}
    />
  );
}
