import { until } from '../world.ts';
import { idOf, type Person, type Told } from './recorder.ts';
import { type Stage, unique } from './stage.ts';

interface Made {
  readonly id: string;
}

const REQUEST = 'pam.elevation_request';
const change = (kind: string, verb: string): Told[] => [{ action: `${kind}.${verb}`, resource: kind }];
const decided = (verb: string): Told[] => change(REQUEST, verb);

export async function rules({ log, boss, tenant }: Stage): Promise<void> {
  const { orgId } = tenant;
  const rule = { orgId, name: unique('rule'), verdict: 'auto_deny', matchPathGlob: 'C:\\walk\\**' };
  await log.call('POST /pam/rules/preview', { as: boss, body: { orgId, matchPathGlob: rule.matchPathGlob }, told: [] });
  await log.call('POST /pam/decisions/explain', {
    as: boss,
    body: { deviceId: tenant.deviceId, flowType: 'uac_intercept', targetExecutablePath: 'C:\\Tools\\setup.exe' },
    told: [],
  });
  const made = await log.call<{ rule: Made }>('POST /pam/rules', {
    as: boss,
    body: rule,
    told: [{ action: 'pam.rule.create', resource: 'pam.rule', id: (answer) => idOf(answer, 'rule') }],
  });
  await log.call('PATCH /pam/rules/{id}', {
    as: boss,
    params: { id: made.rule.id },
    body: { description: 'walked' },
    told: change('pam.rule', 'update'),
  });
  await log.call('PUT /pam/rules/order', {
    as: boss,
    body: { orgId, ruleIds: [made.rule.id] },
    told: [{ action: 'pam.rule.reorder', resource: 'pam.ruleset', id: orgId }],
  });
  const name = unique('sister');
  const sister = await boss.api.must<Made>('POST', '/orgs/organizations', { name, slug: name });
  await boss.api.eventually('GET', `/pam/config?orgId=${sister.id}`);
  await log.call<{ copies: { ruleId: string }[] }>('POST /pam/rules/{id}/copies', {
    as: boss,
    params: { id: made.rule.id },
    body: { orgIds: [sister.id] },
    told: [
      {
        action: 'pam.rule.create',
        resource: 'pam.rule',
        id: ({ copies }) => (copies as { ruleId: string }[])[0]?.ruleId,
        place: { partnerId: tenant.partnerId, orgId: sister.id },
      },
    ],
  });
  await log.call('DELETE /pam/rules/{id}', {
    as: boss,
    params: { id: made.rule.id },
    told: change('pam.rule', 'delete'),
  });
  await log.call('PUT /pam/config', {
    as: boss,
    body: { orgId, defaultUnmatchedVerdict: 'require_approval', defaultApprovalMinutes: 16 },
    told: [{ action: 'pam.config.update', resource: 'pam.config', id: orgId }],
  });
  await log.call('PUT /pam/approval-policy', {
    as: boss,
    body: { orgId, levels: [], default: { approvals: 1, pendingMinutes: 20 } },
    told: [{ action: 'pam.approval_policy.update', resource: 'pam.approval_policy', id: orgId }],
  });
  await log.call('PUT /pam/justification-policy', {
    as: boss,
    body: { orgId, reason: { mode: 'required', minLetters: 3 }, ticket: { mode: 'optional', hint: 'Like INC-0042' } },
    told: [{ action: 'pam.justification_policy.update', resource: 'pam.justification_policy', id: orgId }],
  });
  await log.call('PUT /pam/escalation-policy', {
    as: boss,
    body: { orgId, steps: [{ step: 1, afterMinutes: 1440, askAllApprovers: true }] },
    told: [{ action: 'pam.escalation_policy.update', resource: 'pam.escalation_policy', id: orgId }],
  });
}

/** A draft is simulated; a changed rule set is replayed, cancelled, replayed again and applied. */
export async function replays({ log, boss, tenant }: Stage): Promise<void> {
  const { orgId } = tenant;
  const rule = { name: unique('replayed'), verdict: 'auto_deny', matchPathGlob: 'C:\\walk\\**' };
  await log.call('POST /pam/rules/simulate', { as: boss, body: { orgId, rule }, told: [] });
  const body = { orgId, name: 'walk', changes: [{ op: 'add', ref: 'walked', rule }] };
  const told = [
    { action: 'pam.replay.start', resource: 'pam.ruleset', id: ({ jobId }: Record<string, unknown>) => jobId },
  ];
  const start = async (): Promise<string> =>
    (await log.call<{ jobId: string }>('POST /pam/replays', { as: boss, body, told })).jobId;
  // A replay of few requests may be completed before it can be cancelled.
  await until(async () => {
    const params = { id: await start() };
    const answer = await log.call<{ state?: string }>('POST /pam/replays/{id}/cancel', {
      as: boss,
      params,
      told: [],
      status: 'any',
    });
    return answer.state === 'cancelled' || null;
  });
  const id = await start();
  const summary = await until(async () => {
    const replay = await boss.api.must<{ summary: { newlyAutoApproved: number } | null }>('GET', `/pam/replays/${id}`);
    return replay.summary;
  });
  await log.call('POST /pam/replays/{id}/apply', {
    as: boss,
    params: { id },
    body: { acceptNewlyApproved: summary.newlyAutoApproved },
    told: [{ action: 'pam.ruleset.apply', resource: 'pam.ruleset' }],
  });
}

export async function signers({ log, boss, tenant }: Stage): Promise<void> {
  const { orgId } = tenant;
  await log.call('POST /pam/signer-groups', {
    as: boss,
    body: { orgId, name: unique('signers'), signers: ['Example Ltd'] },
    told: [],
  });
  const { signerGroups } = await boss.api.must<{ signerGroups: Made[] }>('GET', `/pam/signer-groups?orgId=${orgId}`);
  const id = signerGroups[0]?.id ?? '';
  log.tell(log.calls.at(-1)?.requestId ?? '', [
    { action: 'pam.signer_group.create', resource: 'pam.signer_group', id, actor: boss.actor },
  ]);
  await log.call('PATCH /pam/signer-groups/{id}', {
    as: boss,
    params: { id },
    body: { description: 'walked' },
    told: change('pam.signer_group', 'update'),
  });
  await log.call('DELETE /pam/signer-groups/{id}', {
    as: boss,
    params: { id },
    told: change('pam.signer_group', 'delete'),
  });
}

export async function softwarePolicies({ log, boss, tenant }: Stage): Promise<void> {
  const policy = {
    name: unique('policy'),
    mode: 'blocklist',
    target: { level: 'organization', id: tenant.orgId },
    rules: [{ name: 'one', publisher: 'Walk Ltd' }],
  };
  const made = await log.call<{ softwarePolicy: Made }>('POST /pam/software-policies', {
    as: boss,
    body: policy,
    told: [
      {
        action: 'pam.software_policy.create',
        resource: 'pam.software_policy',
        id: (answer) => idOf(answer, 'softwarePolicy'),
      },
    ],
  });
  const params = { id: made.softwarePolicy.id };
  await log.call('PATCH /pam/software-policies/{id}', {
    as: boss,
    params,
    body: { priority: 7 },
    told: change('pam.software_policy', 'update'),
  });
  await log.call('DELETE /pam/software-policies/{id}', {
    as: boss,
    params,
    told: change('pam.software_policy', 'delete'),
  });
}

/** The mildest freeze, so that the other scenes go on. */
export async function freezes({ log, boss, tenant }: Stage): Promise<void> {
  const made = await log.call<{ freeze: Made }>('POST /pam/freezes', {
    as: boss,
    body: { level: 'device', targetId: tenant.deviceId, mode: 'hold', reason: 'walked', revokeOpen: false },
    told: [{ action: 'pam.freeze.create', resource: 'pam.freeze', id: (answer) => idOf(answer, 'freeze') }],
  });
  await log.call('POST /pam/freezes/{id}/lift', {
    as: boss,
    params: { id: made.freeze.id },
    body: { reason: 'walked' },
    told: change('pam.freeze', 'lift'),
  });
}

async function report({ log, agent, tenant }: Stage): Promise<string> {
  const body = {
    subject_username: 'ACME\\ada',
    target_executable_path: `C:\\Tools\\${unique('tool')}.exe`,
    observed_at: new Date().toISOString(),
  };
  const { id } = await log.call<Made>('POST /agents/{id}/elevation-requests', {
    as: agent,
    params: { id: tenant.deviceId },
    body,
    told: [{ action: `${REQUEST}.submit`, resource: REQUEST, id: idOf }],
  });
  return id;
}

/**
 * One report is approved, actuated, acknowledged and revoked; another is denied; a technician makes one request, a tool
 * another.
 */
export async function elevations(stage: Stage): Promise<void> {
  const { log, boss, agent, tenant } = stage;
  const { deviceId } = tenant;
  const id = await report(stage);
  await log.call('POST /agents/{id}/elevation-requests/{requestId}/justification', {
    as: agent,
    params: { id: deviceId, requestId: id },
    body: { reason: 'printer driver', ticket: 'INC-0042' },
    told: [{ action: `${REQUEST}.justify`, resource: REQUEST, id }],
  });
  for (const act of ['take', 'release'])
    await log.call(`POST /pam/elevation-requests/{id}/${act}`, { as: boss, params: { id }, told: decided(act) });
  await log.call('POST /pam/elevation-requests/{id}/respond', {
    as: boss,
    params: { id },
    body: { decision: 'approve', durationMinutes: 15 },
    told: decided('approve'),
  });
  await log.call('POST /devices/{id}/actuate-elevation', {
    as: boss,
    params: { id: deviceId },
    body: { elevationRequestId: id },
    told: [{ action: 'device.elevation.actuate', resource: 'device' }],
  });
  await obey(stage, agent);
  await log.call('POST /pam/elevation-requests/{id}/revoke', {
    as: boss,
    params: { id },
    body: { reason: 'done' },
    told: decided('revoke'),
  });
  await log.call('POST /pam/elevation-requests/{id}/respond', {
    as: boss,
    params: { id: await report(stage) },
    body: { decision: 'deny' },
    told: decided('deny'),
  });
  const submitted: Told[] = [{ action: `${REQUEST}.submit`, resource: REQUEST, id: idOf }];
  await log.call('POST /pam/elevation-requests', {
    as: boss,
    body: { deviceId, reason: 'maintenance' },
    told: submitted,
  });
  await log.call('POST /pam/tool-actions', {
    as: boss,
    body: { deviceId, toolName: 'manage_service', input: { name: 'spooler' }, reason: 'it hangs' },
    told: submitted,
  });
}

async function obey({ log, tenant }: Stage, agent: Person): Promise<void> {
  const command = await until(async () => {
    const { commands } = await agent.api.must<{ commands: Made[] }>(
      'GET',
      `/agents/${tenant.deviceId}/commands?waitSeconds=5`,
    );
    return commands[0] ?? null;
  });
  const params = { commandId: command.id, id: tenant.deviceId };
  await log.call('POST /agents/{id}/commands/{commandId}/result', {
    as: agent,
    params,
    body: { status: 'completed' },
    told: [{ action: 'device.elevation.result', resource: 'device_command' }],
  });
}

/** A technician decides the same kind of requests on a phone. */
export async function approvals(stage: Stage): Promise<void> {
  const { log, boss, phone } = stage;
  await boss.api.must('POST', '/push-subscriptions', { kind: 'webhook', endpoint: phone });
  for (const [route, action] of [
    ['approve', 'approve'],
    ['deny', 'deny'],
    ['report-suspicious', 'report'],
  ]) {
    const { requestId, approvalId } = await asked(stage);
    await log.call(`POST /approvals/{id}/${route}`, {
      as: boss,
      params: { id: approvalId },
      body: {},
      told: [{ action: `pam.approval.${action}`, resource: REQUEST, id: requestId }],
    });
  }
}

/**
 * Approvals are written only for technicians whose push subscription PAM already knows, so the test repeats a report
 * that came too early.
 */
async function asked(stage: Stage): Promise<{ requestId: string; approvalId: string }> {
  return until(async () => {
    const requestId = await report(stage);
    return until(async () => {
      const { approvals: waiting } = await stage.boss.api.must<{ approvals: Made[] }>(
        'GET',
        '/approvals?status=pending',
      );
      const own = waiting.find((approval) => JSON.stringify(approval).includes(requestId));
      return own ? { requestId, approvalId: own.id } : null;
    }, 4);
  });
}
