import {
  Agent,
  type AgentAnswer,
  type AgentCommand,
  AgentConnection,
  type AgentRefused,
  type CommandResult,
  type ConsentPrompt,
  PROTOCOL_VERSION,
} from '@gatehouse/agent';
import { Api } from '@gatehouse/stack';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { sharedWorld } from './shared-world.ts';
import {
  makeOrganization,
  makeTenant,
  partnerAdministrator,
  sql,
  type Tenant,
  until,
  type SharedWorld,
} from './world.ts';

/** The numbered sections of docs/agent-protocol.md. */
describe('the agent protocol', () => {
  let world: SharedWorld;
  let tenant: Tenant;
  let connection: AgentConnection;
  let enrollmentKey: string;
  let agent: Agent;
  let machines = 0;

  beforeAll(async () => {
    world = await sharedWorld();
    tenant = await makeTenant(world.admin);
    connection = new AgentConnection({ baseUrl: world.product.baseUrl });
    const { orgId } = tenant;
    const key = await world.admin.must<{ key: string }>('POST', '/enrollment-keys', { orgId, name: 'protocol' });
    enrollmentKey = key.key;
    agent = await known(await Agent.enroll(connection, machine()));
  });

  it('1 keeps the version that the agent states', async () => {
    const { deviceId } = agent.identity;
    const stated = 'SELECT agent_protocol FROM device_ref WHERE device_id = $1';
    const [device] = await until(async () => nonEmpty(await sql<Stated>(world, 'pam', stated, [deviceId])));
    expect(device).toEqual({ agent_protocol: PROTOCOL_VERSION });
  });

  it('2 enrols with a key, and only with a valid one', async () => {
    expect([agent.enrolled, agent.identity.orgId]).toEqual(['new', tenant.orgId]);
    expect(await codeOf(Agent.enroll(connection, { ...machine(), enrollmentKey: 'wrong' }))).toBe(
      'enrollment_key_invalid',
    );
  });

  it('3 gives a machine its device back with its token, and makes it a second device without', async () => {
    const enrolment = machine();
    const before = await known(await Agent.enroll(connection, enrolment));
    const again = await known(await Agent.enroll(connection, enrolment, before.identity.agentToken));
    expect([again.enrolled, again.identity.deviceId]).toEqual(['again', before.identity.deviceId]);
    expect(await codeOf(before.commands(0))).toBe('token_invalid');
    const second = await Agent.enroll(connection, enrolment);
    expect([second.enrolled, second.possibleDuplicateOf]).toEqual(['new', before.identity.deviceId]);
    expect(await codeOf(Agent.enroll(connection, machine(), again.identity.agentToken))).toBe('token_invalid');
  });

  it('3 lets a machine that waits to return go on as its former device once an administrator confirms it', async () => {
    const before = await known(await Agent.enroll(connection, machine()));
    const { orgId } = tenant;
    const returning = { orgId, name: 'returning', allowReenrollment: true };
    const { key } = await world.admin.must<{ key: string }>('POST', '/enrollment-keys', returning);
    const again = await Agent.enroll(connection, {
      ...{ enrollmentKey: key, hostname: `pc-${machines}`, osType: 'windows', serialNumber: `SN-${machines}` },
    });
    expect(again.identity.returnsAs).toBe(before.identity.deviceId);
    expect(['device_awaiting_confirmation', 'token_invalid']).toContain(await codeOf(again.commands(0)));
    await world.admin.must('POST', `/devices/${again.identity.deviceId}/return/confirm`, {});
    await known(again);
    expect(again.identity).toMatchObject({ deviceId: before.identity.deviceId });
    expect(await again.report(prompt())).toMatchObject({ status: 'pending' });
  });

  it('4 and 5 answer the configuration, and take the inventory', async () => {
    expect(await agent.configuration()).toEqual({ pam: { uacInterceptionEnabled: true, source: null } });
    expect(await agent.reportInventory({ agentVersion: '2.0.0' })).toMatchObject({ agentVersion: '2.0.0' });
  });

  it('6 gives a new token, whose first use ends the old one in every service', async () => {
    const rotating = await known(await Agent.enroll(connection, machine()));
    const old = new Agent(connection, rotating.identity);
    await rotating.rotateToken();
    expect(rotating.identity.agentToken).not.toBe(old.identity.agentToken);
    await known(rotating);
    for (const use of [() => old.commands(0), () => old.configuration()])
      await until(async () => (await codeOf(use())) === 'token_invalid');
  });

  it('7 gives a repeated report its first answer, whatever the clock of the agent', async () => {
    const late = prompt({ observed_at: '2001-01-01T00:00:00.000Z' });
    const reported = await agent.report(late);
    expect(reported).toMatchObject({ status: 'pending' });
    expect(await agent.report(late)).toEqual(reported);
  });

  it('8 ends the older of two waiting requests', async () => {
    const waiting = await known(await Agent.enroll(connection, machine()));
    const older = waiting.commands(20);
    await wait(500);
    const newer = waiting.commands(1);
    expect([await older, await newer]).toEqual([[], []]);
  });

  it('9 and 10 deliver a command again until its result came, and take the same result twice', async () => {
    const waiting = await known(await Agent.enroll(connection, machine()));
    const { id } = await waiting.report(prompt());
    await respond(id ?? '', 'approve');
    await world.admin.must('POST', `/devices/${waiting.identity.deviceId}/actuate-elevation`, {
      elevationRequestId: id,
      timeoutMs: 60_000,
    });
    const actuations = async () => (await waiting.commands(25)).filter(({ type }) => type === 'actuate_elevation');
    const [first] = await until(async () => nonEmpty(await actuations()));
    expect(first?.payload).toEqual({ elevationRequestId: id, timeoutMs: 60_000 });
    const [again] = await until(async () => nonEmpty(await actuations()));
    expect(again?.id).toBe(first?.id);
    const commandId = String(first?.id);
    await waiting.sendResult(commandId, { status: 'completed' });
    await waiting.sendResult(commandId, { status: 'completed' });
    expect(await codeOf(waiting.sendResult(commandId, { status: 'failed' }))).toBe('conflict');
    expect(await codeOf(agent.sendResult(commandId, { status: 'completed' }))).toBe('command_not_found');
  });

  it('10 carries out all commands, also when the first was ended before its result came', async () => {
    const { identity } = await known(await Agent.enroll(connection, machine()));
    let id: string | null = null;
    class Revoked extends AgentConnection {
      override async send(request: Parameters<AgentConnection['send']>[0]): Promise<AgentAnswer> {
        if (request.path.endsWith('/result') && id) {
          await world.admin.must('POST', `/pam/elevation-requests/${id}/revoke`, { reason: 'Enough' });
          id = null;
        }
        return super.send(request);
      }
    }
    const hasty = new Agent(new Revoked({ baseUrl: world.product.baseUrl }), identity);
    ({ id } = await hasty.report(prompt()));
    await respond(id ?? '', 'approve');
    const { deviceId } = identity;
    await world.admin.must('POST', `/devices/${deviceId}/actuate-elevation`, { elevationRequestId: id });
    const types: string[] = [];
    const carryOut = ({ type }: AgentCommand): CommandResult => {
      types.push(type);
      return { status: 'completed' };
    };
    for (const count of [2, 4]) await until(async () => (await hasty.obey(carryOut)) && types.length === count);
    expect(types).toEqual(['elevation_outcome', 'actuate_elevation', 'elevation_outcome', 'revoke_elevation']);
  });

  it('9 tells the agent to end what it granted', async () => {
    const granted = await known(await Agent.enroll(connection, machine()));
    const { id } = await granted.report(prompt());
    await respond(id ?? '', 'approve');
    await world.admin.must('POST', `/pam/elevation-requests/${id}/revoke`, { reason: 'Enough' });
    const [revocation] = await until(async () =>
      nonEmpty((await granted.commands(5)).filter(({ type }) => type === 'revoke_elevation')),
    );
    expect(revocation?.payload).toEqual({ elevationRequestId: id });
    await granted.sendResult(String(revocation?.id), { status: 'completed' });
    expect(await granted.outcomeOf(String(id))).toMatchObject({ status: 'revoked', reason: 'Enough' });
  });

  it('9 tells the agents of an archived organisation to remove themselves', async () => {
    const { orgId, deviceId, agentToken } = await makeOrganization(world.admin, tenant.partnerId, `gone-${Date.now()}`);
    const leaving = new Agent(connection, { ...agent.identity, orgId, deviceId, agentToken });
    const administrator = await partnerAdministrator(world, tenant.partnerId);
    await administrator.must('POST', `/orgs/organizations/${orgId}/archive`, {});
    const [uninstall] = await until(async () => nonEmpty(await leaving.obey(() => ({ status: 'completed' }))));
    expect([uninstall?.type, uninstall?.payload]).toEqual(['uninstall', {}]);
    expect(await codeOf(leaving.report(prompt()))).toBe('organization_archived');
  });

  it('11 tells the outcome of a request once, and answers it when asked', async () => {
    const waiting = await known(await Agent.enroll(connection, machine()));
    const { id } = await waiting.report(prompt());
    await respond(id ?? '', 'deny');
    const [outcome] = await until(async () => nonEmpty(await waiting.obey(() => ({ status: 'completed' }))));
    expect([outcome?.type, outcome?.payload]).toEqual([
      'elevation_outcome',
      expect.objectContaining({ elevationRequestId: id, status: 'denied' }),
    ]);
    expect(await waiting.outcomeOf(String(id))).toMatchObject({ id, status: 'denied' });
    expect(await codeOf(agent.outcomeOf(String(id)))).toBe('elevation_request_not_found');
  });

  it('12 refuses with the codes of the table', async () => {
    expect(await codeOf(agent.report({ ...prompt(), observed_at: 'yesterday' }))).toBe('validation_failed');
    expect(await codeOf(agent.report(prompt({ command_line: 'x'.repeat(40_000) })))).toBe('payload_too_large');
    const { deviceId } = tenant;
    const other = new Agent(connection, { ...agent.identity, deviceId });
    expect([await codeOf(other.configuration()), await codeOf(other.commands(0))]).toEqual(
      Array(2).fill('device_mismatch'),
    );
    const gone = await known(await Agent.enroll(connection, machine()));
    await world.admin.must('POST', `/devices/${gone.identity.deviceId}/decommission`, {});
    expect(await codeOf(gone.configuration())).toBe('device_inactive');
    const anonymous = new Api(world.product.baseUrl);
    expect((await anonymous.call('GET', `/agents/${deviceId}/config`)).body['code']).toBe('not_authenticated');
  });

  it('13 gives signed rules that deny or ask, which pass for no other token', async () => {
    const away = await known(await Agent.enroll(connection, machine()));
    const { orgId } = tenant;
    const path = (glob: string) => ({ orgId, name: glob, matchPathGlob: glob });
    await world.admin.must('POST', '/pam/rules', { ...path('C:\\Apps\\**'), verdict: 'auto_approve', priority: 1 });
    await world.admin.must('POST', '/pam/rules', { ...path('**\\*.scr'), verdict: 'auto_deny', priority: 2 });
    await until(async () => (await away.fetchOfflineRules()).claims.rules.length === 2);
    const verdict = (target: string) => away.decideOffline(prompt({ target_executable_path: target }));
    expect([verdict('D:\\x.scr'), verdict('C:\\Apps\\x.scr'), verdict('C:\\Apps\\x.exe')]).toEqual([
      'deny',
      'ask',
      'ask',
    ]);
    const { claims } = await away.fetchOfflineRules();
    expect([claims.aud, claims.exp - claims.iat]).toEqual([away.identity.deviceId, 86_400]);
    const stolen = new Api(world.product.baseUrl, await jwsOf(away));
    expect((await stolen.call('GET', '/pam/rules')).body['code']).toBe('token_invalid');
    const other = new Agent(connection, agent.identity);
    other.offlineRules = away.offlineRules;
    expect([other.offlineRules, other.decideOffline(prompt({ target_executable_path: 'D:\\x.scr' }))]).toEqual([
      null,
      'ask',
    ]);
  });

  it('14 ends offline rules a day after their arrival, by whatever clock the device has', async () => {
    const DAY_MS = 86_400_000;
    const wrong = Date.now() - 400 * DAY_MS;
    const screensaver = prompt({ target_executable_path: 'D:\\x.scr' });
    await agent.fetchOfflineRules(wrong);
    const after = (ms: number) => agent.decideOffline(screensaver, wrong + ms);
    expect([after(0), after(DAY_MS / 3), after(DAY_MS), after(-1000)]).toEqual(['deny', 'deny', 'ask', 'ask']);
  });

  const jwsOf = async ({ identity: { deviceId, agentToken: token } }: Agent): Promise<string> =>
    String((await connection.send({ method: 'GET', path: `/agents/${deviceId}/rules`, token })).body['jws']);

  const machine = () => {
    machines++;
    return { enrollmentKey, hostname: `pc-${machines}`, osType: 'windows', serialNumber: `SN-${machines}` };
  };
  const prompt = (changes: Partial<ConsentPrompt> = {}): ConsentPrompt => ({
    subject_username: 'ACME\\ada',
    target_executable_path: `C:\\Tools\\tool-${machines}-${Math.random()}.exe`,
    observed_at: new Date().toISOString(),
    ...changes,
  });
  /** Waits until every service knows the agent (section 2). */
  const known = async (enrolled: Agent): Promise<Agent> => {
    await until(() =>
      enrolled.commands(0).then(
        () => true,
        () => false,
      ),
    );
    return enrolled;
  };
  const codeOf = (refused: Promise<unknown>): Promise<string> =>
    refused.then(
      () => 'accepted',
      (error: AgentRefused) => error.code,
    );
  const respond = (id: string, decision: 'approve' | 'deny') =>
    world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, { decision });
});

interface Stated {
  readonly agent_protocol: number;
}

const nonEmpty = <T>(items: T[]): T[] | null => (items.length > 0 ? items : null);
