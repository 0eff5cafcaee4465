import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Field, Values } from '../../../ui/forms/fields.ts';
import { justificationPolicyQuery } from '../../../ui/elevation/justification.ts';
import { configQuery } from '../../../ui/elevation/request.ts';
import { Page } from '../../../ui/page.tsx';
import { SettingsTabs } from '../../../ui/area-tabs.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { EscalationCard } from '../parts/escalation-card.tsx';
import { JustificationCard, linesFault, linesOf } from '../parts/justification-card.tsx';
import { PolicyLevels } from '../parts/policy-levels.tsx';
import { SettingsCard } from '../parts/settings-card.tsx';
import {
  type ApprovalPolicy,
  approvalPolicyQuery,
  escalationPolicyQuery,
  type PamConfig,
  readApprovalPolicy,
  readConfig,
  updateApprovalPolicy,
  updateConfig,
  RISKY_RULES,
  VERDICTS,
} from '../queries.ts';

const valuesOf = ({
  defaultUnmatchedVerdict,
  defaultApprovalMinutes,
  riskyRules,
  allowSelfApproval,
  approveReasons,
  denyReasons,
}: PamConfig): Values => ({
  defaultUnmatchedVerdict,
  defaultApprovalMinutes,
  riskyRules,
  allowSelfApproval,
  approveReasons: approveReasons.join('\n'),
  denyReasons: denyReasons.join('\n'),
});

const bodyOf = (values: Values) => ({
  defaultUnmatchedVerdict: VERDICTS.find((one) => one === values['defaultUnmatchedVerdict']) ?? 'require_approval',
  defaultApprovalMinutes: Number(values['defaultApprovalMinutes']),
  riskyRules: RISKY_RULES.find((one) => one === values['riskyRules']) ?? 'warn',
  allowSelfApproval: values['allowSelfApproval'] === true,
  approveReasons: linesOf(String(values['approveReasons'] ?? '')),
  denyReasons: linesOf(String(values['denyReasons'] ?? '')),
});

const REASONS = ['approveReasons', 'denyReasons'] as const;
const reasonsFault = linesFault(...REASONS);

function useConfigFields(): readonly Field[] {
  const words = useTranslations('capture');
  return [
    {
      name: 'defaultUnmatchedVerdict',
      label: words('unmatched'),
      kind: 'choice',
      required: true,
      choices: VERDICTS.map((value) => ({ value, label: words(`verdicts.${value}`) })),
    },
    { name: 'defaultApprovalMinutes', label: words('minutes'), kind: 'number', required: true },
    {
      name: 'riskyRules',
      label: words('riskyRules'),
      description: words('riskyRulesText'),
      kind: 'choice',
      required: true,
      choices: RISKY_RULES.map((value) => ({ value, label: words(`risky.${value}`) })),
    },
    {
      name: 'allowSelfApproval',
      label: words('ownPrompts'),
      description: words('ownPromptsText'),
      kind: 'switch',
    },
    ...REASONS.map((name) => ({
      name,
      label: words(name),
      description: words('reasonsText'),
      kind: 'area' as const,
    })),
  ];
}

function ConfigCard({ config }: { readonly config: PamConfig }) {
  const words = useTranslations('capture');
  const uiWords = useTranslations('ui');
  return (
    <SettingsCard
      title={words('unmatchedTitle')}
      change={words('changeUnmatched')}
      facts={[
        { name: words('unmatched'), value: words(`verdicts.${config.defaultUnmatchedVerdict}`) },
        { name: words('duration'), value: words('minutesOf', { minutes: config.defaultApprovalMinutes }) },
        { name: words('riskyRules'), value: words(`risky.${config.riskyRules}`) },
        { name: words('ownPrompts'), value: uiWords(config.allowSelfApproval ? 'yes' : 'no') },
        ...REASONS.map((name) => ({ name: words(name), value: config[name].join(' · ') })),
      ]}
      needs="PUT /pam/config"
      audited="pam.config.update"
      fields={useConfigFields()}
      stored={config}
      valuesOf={valuesOf}
      read={() => readConfig(config.orgId)}
      save={(stored, values) => updateConfig(stored, bodyOf(values))}
      faultAt={reasonsFault}
    />
  );
}

const policyValues = ({ default: demand, separation, version }: ApprovalPolicy): Values => ({
  'default.approvals': demand.approvals,
  'default.pendingMinutes': demand.pendingMinutes,
  // Proposed to those who save for the first time.
  'separation.ruleEditors': separation.ruleEditors || version === 0,
  'separation.aiRequester': separation.aiRequester,
});

const policyBody = ({ levels }: ApprovalPolicy, values: Values) => ({
  // The server replaces the whole policy: its levels stay only when they are sent back.
  levels,
  default: {
    approvals: Number(values['default.approvals']),
    pendingMinutes: Number(values['default.pendingMinutes']),
  },
  separation: {
    ruleEditors: values['separation.ruleEditors'] === true,
    aiRequester: values['separation.aiRequester'] === true,
  },
});

function PolicyCard({ policy }: { readonly policy: ApprovalPolicy }) {
  const words = useTranslations('capture');
  const uiWords = useTranslations('ui');
  const { default: demand, separation } = policy;
  return (
    <SettingsCard
      title={words('approvalTitle')}
      change={words('changeApprovals')}
      facts={[
        { name: words('approvals'), value: demand.approvals },
        { name: words('timeout'), value: words('minutesOf', { minutes: demand.pendingMinutes }) },
        { name: words('ruleEditors'), value: uiWords(separation.ruleEditors ? 'yes' : 'no') },
        { name: words('aiRequester'), value: uiWords(separation.aiRequester ? 'yes' : 'no') },
      ]}
      needs="PUT /pam/approval-policy"
      audited="pam.approval_policy.update"
      fields={[
        { name: 'default.approvals', label: words('approvals'), kind: 'number', required: true },
        { name: 'default.pendingMinutes', label: words('pendingMinutes'), kind: 'number', required: true },
        { name: 'separation.ruleEditors', label: words('ruleEditors'), kind: 'switch' },
        { name: 'separation.aiRequester', label: words('aiRequester'), kind: 'switch' },
      ]}
      stored={policy}
      valuesOf={policyValues}
      read={() => readApprovalPolicy(policy.orgId)}
      save={(stored, values) => updateApprovalPolicy(stored, policyBody(stored, values))}
    >
      <PolicyLevels policy={policy} />
    </SettingsCard>
  );
}

function Defaults({ orgId }: { readonly orgId: string }) {
  const config = useQuery(configQuery(orgId));
  const policy = useQuery(approvalPolicyQuery(orgId));
  const justification = useQuery(justificationPolicyQuery(orgId));
  const escalation = useQuery(escalationPolicyQuery(orgId));
  return (
    <Stack>
      <QueryView query={config}>{(read) => <ConfigCard config={read} />}</QueryView>
      <QueryView query={policy}>{(read) => <PolicyCard policy={read} />}</QueryView>
      <QueryView query={justification}>{(read) => <JustificationCard policy={read} />}</QueryView>
      <QueryView query={escalation}>{(read) => <EscalationCard policy={read} />}</QueryView>
    </Stack>
  );
}

/** What decides where no rule does, what an approval takes, and what happens while requests wait. */
export function DefaultsPage() {
  const words = useTranslations('capture');
  const orgId = useOrg();
  return (
    <Page title={words('title')}>
      <SettingsTabs />
      {orgId ? <Defaults orgId={orgId} /> : <ChooseOrganization />}
    </Page>
  );
}
