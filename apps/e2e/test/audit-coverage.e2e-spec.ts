import { AUTHORITY_ACTIONS, SERVICE_NAMES } from '@gatehouse/contracts-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GATED, MUTATING } from './audit/contract.ts';
import { hostileTexts, LONG_USER_AGENT, longUserAgent } from './audit/hostile-scene.ts';
import { byRequest, type LogEntry, readLog } from './audit/log-reader.ts';
import { approvals, elevations, freezes, replays, rules, signers, softwarePolicies } from './audit/pam-scene.ts';
import { partnerRules } from './audit/partner-rules-scene.ts';
import { administerAccess, administerPeople, signIns } from './audit/people-scene.ts';
import { logs, places } from './audit/places.ts';
import { CLIENT_ADDRESS, type ExpectedEntry, type Recorded, USER_AGENT } from './audit/recorder.ts';
import { denials, failures, rollbacks } from './audit/refusal-scene.ts';
import { domains, openIdConnect, removeDomain, saml, setupLinks } from './audit/sso-scene.ts';
import { secretsOf } from './audit/secrets.ts';
import { setStage, type Stage } from './audit/stage.ts';
import {
  contacts,
  customFields,
  enrolment,
  groups,
  merge,
  organizations,
  partners,
  policies,
  sites,
} from './audit/tenancy-scene.ts';
import { scripts } from './audit/scripts-scene.ts';
import { SEVERAL, UNAUDITED } from './audit/unaudited.ts';
import { examplesOf, recordedExamples, recordExamples } from './examples/examples.ts';
import { readings } from './examples/readings.ts';
import { OUTBOXES, sql, until } from './world.ts';

describe('the audit log of the running product', () => {
  let stage: Stage;
  let entries: Map<string, LogEntry[]>;
  beforeAll(async () => {
    stage = await setStage({ LOG_LEVEL: 'debug' });
    for (const scene of SCENES)
      await scene(stage).catch((error: unknown) => faults.push(`${scene.name}: ${String(error)}`));
    entries = byRequest(await wholeLog());
  }, 300_000);
  afterAll(() => stage?.stop(), 60_000);

  it('is walked to the end', () => {
    expect(faults).toEqual([]);
  });

  const ofSuccess = ({ status }: Recorded): boolean => status < 400;
  const found = ({ requestId }: Recorded): LogEntry[] => entries.get(requestId) ?? [];

  it.each(MUTATING.map(({ route }) => route))('AUD-05: %s leaves the entries that it should', (route) => {
    const made = stage.log.calls.filter((call) => call.route === route && ofSuccess(call));
    expect(made.length).toBeGreaterThan(0);
    for (const call of made) {
      expect(inOrder(found(call).map(told))).toEqual(inOrder(call.entries));
      for (const { ip, userAgent, details } of found(call)) {
        expect([ip, userAgent]).toEqual([CLIENT_ADDRESS, USER_AGENT]);
        const changed = (details['changedFields'] ?? []) as string[];
        expect(changed.filter((name) => !/^[A-Za-z]+$/.test(name))).toEqual([]);
      }
    }
    const most = Math.max(...made.map((call) => found(call).length));
    expect({ most, because: UNAUDITED[route] ?? SEVERAL[route] }).toEqual({
      most: route in UNAUDITED ? 0 : route in SEVERAL ? 2 : 1,
      because: UNAUDITED[route] ?? SEVERAL[route],
    });
  });

  it('ATK-221 AUD-50: says of each change of authority what every field was before and is after', () => {
    const changing: readonly string[] = AUTHORITY_ACTIONS;
    const made = [...entries.values()]
      .flat()
      .filter(({ action, result }) => result === 'success' && changing.includes(action));
    const isTold = ({ details }: LogEntry): boolean => {
      const changes = Object.values((details['changes'] ?? {}) as Record<string, object>);
      return changes.length > 0 && changes.every((change) => 'before' in change && 'after' in change);
    };
    expect(made.filter((entry) => !isTold(entry)).map(({ action, details }) => ({ action, details }))).toEqual([]);
    const told = new Set(made.map(({ action }) => action));
    expect(changing.filter((action) => !told.has(action) && !BY_ITSELF.includes(action))).toEqual([]);
  });

  it('AUD-09: tells once of each refused attempt at a gated route, and of each wrong password', () => {
    const refused = stage.log.calls.filter((call) => call.status >= 400 && call.entries.length > 0);
    expect(GATED.map(({ route }) => route).filter((route) => !refused.some((call) => call.route === route))).toEqual(
      [],
    );
    expect(refused.map((call) => ({ route: call.route, entries: found(call).map(told) }))).toEqual(
      refused.map((call) => ({ route: call.route, entries: call.entries })),
    );
  });

  it('tells nothing of what did not happen', () => {
    const undone = stage.log.calls.filter((call) => call.status >= 400 && call.entries.length === 0);
    expect(undone.length).toBeGreaterThan(50);
    expect(undone.flatMap(found)).toEqual([]);
  });

  it('answers as the examples of the contract say', async () => {
    const examples = examplesOf([...stage.log.calls, ...(await readings(stage))]);
    if (process.env['RECORD_EXAMPLES'] === '1') recordExamples(examples);
    const known = recordedExamples();
    const advice = 'run this test with RECORD_EXAMPLES=1, then npm run openapi';
    expect({ advice, routes: Object.keys(examples) }).toEqual({ advice, routes: Object.keys(known) });
    for (const [route, { status, answer }] of Object.entries(examples)) {
      const members = Object.keys(answer as object).sort();
      expect({ advice, route, status, members }).toEqual({
        advice,
        route,
        status: known[route]?.status,
        members: Object.keys(known[route]?.answer as object).sort(),
      });
    }
  });

  it("AUD-01: no text of a client forges a line, in the services' logs or in an export", async () => {
    const { world } = stage;
    await hostileTexts(stage);
    const requestId = await longUserAgent(stage);
    const [entry] = await until(async () => byRequest(await wholeLog()).get(requestId) ?? null);
    expect(entry?.userAgent).toBe(LONG_USER_AGENT.slice(0, 400));
    const own = logs(world).filter(({ name }) => SERVICE_NAMES.some((service) => name.startsWith(`${service}.`)));
    expect(own.length).toBe(SERVICE_NAMES.length);
    const lines = own.flatMap(({ text }) => text.split(/[\n\u2028]/).filter(Boolean));
    expect(lines.filter((line) => !isJsonLine(line) || line.includes('"message":"FORGED"'))).toEqual([]);
    const exported = await (
      await fetch(`${world.product.baseUrl}/api/v1/audit-logs/export?chain=${stage.tenant.partnerId}`, {
        headers: { authorization: `Bearer ${world.admin.accessToken}` },
      })
    ).text();
    expect(exported).toContain('FORGED');
    expect(
      exported
        .trimEnd()
        .split('\n')
        .filter((line) => !isJsonLine(line) || 'level' in (JSON.parse(line) as object)),
    ).toEqual([]);
  });

  it('AUD-02: no secret of the walk is in a log, the audit log, a database, a stream, the cache or a refusal', async () => {
    const secrets = secretsOf(stage);
    expect(secrets.length).toBeGreaterThan(60);
    const searched = await places(stage);
    for (const [place, text] of Object.entries(searched))
      expect({ place, isEmpty: text.length < 100 && place !== 'cache' && !place.startsWith('log ') }).toEqual({
        place,
        isEmpty: false,
      });
    expect(searched['streams']).toContain('user.invite.accept');
    const leaks = Object.entries(searched).flatMap(([place, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret.slice(0, 6)}…`),
    );
    expect(leaks).toEqual([]);
  });

  const faults: string[] = [];

  /** The entries of all changes committed so far, once they have reached the log. */
  async function wholeLog(): Promise<LogEntry[]> {
    const { world } = stage;
    const audited = await Promise.all(OUTBOXES.map((database) => sql<{ id: string }>(world, database, AUDITED)));
    const ids = audited.flat().map(({ id }) => id);
    await until(
      async () =>
        (await sql(world, 'audit', 'SELECT FROM audit_entries WHERE id = ANY ($1::uuid[])', [ids])).length ===
        ids.length,
      90,
    );
    return readLog(world.admin);
  }
});

const SCENES = [
  administerPeople,
  administerAccess,
  signIns,
  domains,
  openIdConnect,
  saml,
  setupLinks,
  removeDomain,
  partners,
  organizations,
  sites,
  contacts,
  enrolment,
  groups,
  policies,
  customFields,
  scripts,
  rules,
  partnerRules,
  replays,
  signers,
  softwarePolicies,
  freezes,
  elevations,
  approvals,
  merge,
  denials,
  failures,
  rollbacks,
];

/** Changes of authority that no request of the walk makes; the suites of their services read their entries. */
const BY_ITSELF = ['pam.rule.opt_out_end', 'pam.freeze.expire', 'sso.enforcement.postpone'];

/** The audited part of an entry, in the form of the expectation. */
const told = ({ action, result, actor: { type, id }, resource, partnerId, orgId }: LogEntry): ExpectedEntry => ({
  action,
  result,
  actor: { type, id },
  resource: { type: resource.type, id: resource.id },
  partnerId,
  orgId,
});
const inOrder = <T>(entries: readonly T[]): T[] =>
  [...entries].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Events of one transaction share an outbox row. */
const AUDITED = `SELECT fact->'data'->>'id' AS id FROM outbox,
  json_array_elements(coalesce(envelope->'events', json_build_array(envelope))) AS fact WHERE subject LIKE 'audit.%'`;

const isJsonLine = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
};
