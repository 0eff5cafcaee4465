import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { api, getQuery } from '../../api/client.ts';
import type { JustificationPolicy } from '../../ui/elevation/justification.ts';

export type PamConfig = DataOf<'/pam/config', 'get'>['config'];
export type ApprovalPolicy = DataOf<'/pam/approval-policy', 'get'>['approvalPolicy'];
export type EscalationPolicy = DataOf<'/pam/escalation-policy', 'get'>['escalationPolicy'];
export type Level = ApprovalPolicy['levels'][number];

export const FLOW_TYPES = ['uac_intercept', 'tech_jit_admin', 'ai_tool_action'] as const;
export const RISKY_RULES = ['warn', 'refuse'] as const;
export const VERDICTS = ['require_approval', 'auto_deny'] as const;

/** As it is stored now. */
export const readConfig = async (orgId: string): Promise<PamConfig> =>
  (await ok(api.GET('/pam/config', { params: { query: { orgId } } }))).config;

export const readApprovalPolicy = async (orgId: string): Promise<ApprovalPolicy> =>
  (await ok(api.GET('/pam/approval-policy', { params: { query: { orgId } } }))).approvalPolicy;

export const approvalPolicyQuery = (orgId: string) =>
  getQuery('capture', '/pam/approval-policy', { query: { orgId }, select: ({ approvalPolicy }) => approvalPolicy });

export const readJustificationPolicy = async (orgId: string): Promise<JustificationPolicy> =>
  (await ok(api.GET('/pam/justification-policy', { params: { query: { orgId } } }))).justificationPolicy;

export const readEscalationPolicy = async (orgId: string): Promise<EscalationPolicy> =>
  (await ok(api.GET('/pam/escalation-policy', { params: { query: { orgId } } }))).escalationPolicy;

export const escalationPolicyQuery = (orgId: string) =>
  getQuery('capture', '/pam/escalation-policy', { query: { orgId }, select: (read) => read.escalationPolicy });

/** The version that was read goes along: a change made in between is not overwritten. */
export const updateConfig = ({ orgId, version }: PamConfig, body: BodyOf<'/pam/config', 'put'>) =>
  ok(api.PUT('/pam/config', { params: { query: { orgId }, header: { 'If-Match': `"${version}"` } }, body }));

/** As {@link updateConfig}. */
export const updateApprovalPolicy = ({ orgId, version }: ApprovalPolicy, body: BodyOf<'/pam/approval-policy', 'put'>) =>
  ok(api.PUT('/pam/approval-policy', { params: { query: { orgId }, header: { 'If-Match': `"${version}"` } }, body }));

/** As {@link updateConfig}. */
export const updateJustificationPolicy = (
  { orgId, version }: JustificationPolicy,
  body: BodyOf<'/pam/justification-policy', 'put'>,
) =>
  ok(
    api.PUT('/pam/justification-policy', {
      params: { query: { orgId }, header: { 'If-Match': `"${version}"` } },
      body,
    }),
  );

/** As {@link updateConfig}. */
export const updateEscalationPolicy = (
  { orgId, version }: EscalationPolicy,
  body: BodyOf<'/pam/escalation-policy', 'put'>,
) =>
  ok(api.PUT('/pam/escalation-policy', { params: { query: { orgId }, header: { 'If-Match': `"${version}"` } }, body }));

const CHOICES = 100;

export const groupsQuery = (orgId: string) =>
  getQuery('capture', '/device-groups', { query: { orgId, limit: CHOICES }, select: ({ data }) => data });
