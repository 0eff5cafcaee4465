import { createGatehouse, memoryTokens, ok, type TokenStore } from '@gatehouse/client';
import { Api, findBrowser } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { sharedWorld } from './shared-world.ts';
import { makeTenant, type Tenant, until, type SharedWorld } from './world.ts';

let world: SharedWorld;
let tenant: Tenant;
let directory: string;
beforeAll(async () => {
  world = await sharedWorld();
  tenant = await makeTenant(world.admin);
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
});
afterAll(async () => {
  if (directory) rmSync(directory, { recursive: true, force: true });
});

describe('a technician by @gatehouse/client alone', () => {
  it('signs in, sees what waits, understands and decides it, and is told why a second decision is refused', async () => {
    const { email, password, totpSecret } = await member('Partner Technician');
    const [wanted, unwanted] = [await prompt('C:\\Setup\\printer.exe'), await prompt('C:\\Temp\\crack.exe')];
    const gatehouse = createGatehouse({ baseUrl: world.product.baseUrl, secondFactor: () => Api.codeFor(totpSecret) });
    expect(await gatehouse.signIn({ email, password })).toMatchObject({ kind: 'signed-in', user: { email } });

    const query = { status: ['pending' as const], orgId: tenant.orgId };
    const { requests } = await ok(gatehouse.GET('/pam/elevation-requests', { params: { query } }));
    expect(requests.find(({ id }) => id === wanted)).toMatchObject({
      targetExecutablePath: 'C:\\Setup\\printer.exe',
      subjectUsername: 'ACME\\ada',
      deviceHostname: 'pc-1',
    });

    const { request } = await ok(gatehouse.GET('/pam/elevation-requests/{id}', { params: { path: { id: unwanted } } }));
    expect(request).toMatchObject({ flags: expect.arrayContaining(['unsigned', 'first_seen']) });
    expect(request.mayRespond).toEqual({ approve: true, deny: true });
    expect(request.timeline).toMatchObject([{ event: 'requested' }]);

    const respond = (id: string, decision: 'approve' | 'deny') =>
      gatehouse.POST('/pam/elevation-requests/{id}/respond', { params: { path: { id } }, body: { decision } });
    expect(await ok(respond(wanted, 'approve'))).toMatchObject({ status: 'approved' });
    expect(await ok(respond(unwanted, 'deny'))).toMatchObject({ status: 'denied' });
    const { error } = await respond(unwanted, 'approve');
    expect(error?.code).toBe('not_pending');
    expect(error?.code === 'not_pending' && error.currentStatus).toBe('denied');

    await gatehouse.signOut();
    expect((await gatehouse.GET('/auth/me')).error?.code).toBe('not_authenticated');
  });

  it('goes on with a renewed session when the access token has expired', async () => {
    const { email, password, totpSecret } = await member('Partner Technician');
    const kept = memoryTokens();
    const { baseUrl } = world.product;
    const gatehouse = createGatehouse({ baseUrl, tokens: kept, secondFactor: () => Api.codeFor(totpSecret) });
    await gatehouse.signIn({ email, password });
    const first = await kept.read();
    // An access token lives for 15 minutes: the server's answer to an expired one is put in place of the first answer.
    let isFirst = true;
    const fetched = createGatehouse({
      baseUrl,
      tokens: kept satisfies TokenStore,
      fetch: (request) => {
        const expires = isFirst && request.url.endsWith('/auth/me');
        isFirst = false;
        const problem = { code: 'token_expired', requestId: 'r' };
        return expires ? Promise.resolve(Response.json(problem, { status: 401 })) : fetch(request);
      },
    });
    expect((await ok(fetched.GET('/auth/me'))).user.email).toBe(email);
    expect((await kept.read())?.refreshToken).not.toBe(first?.refreshToken);
  });
});

const program = findBrowser();
if (!program)
  process.stderr.write('no Chromium on this machine (CHROMIUM_PATH or PATH): the client is not tried in it\n');

(program ? describe : describe.skip)('@gatehouse/client in a browser', () => {
  it('signs in and decides from a page of the product', async () => {
    const { email, password, totpSecret } = await member('Partner Technician');
    const id = await prompt('C:\\Setup\\browser.exe');
    const entry = fileURLToPath(new URL('../../../libs/client/dist/index.js', import.meta.url));
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      format: 'iife',
      globalName: 'client',
      write: false,
    });
    const browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage();
      await page.goto(`${world.product.baseUrl}/login`);
      await page.evaluate(`${outputFiles[0]?.text ?? ''}; globalThis.client = client`);
      const given = { baseUrl: world.product.baseUrl, email, password, code: await Api.codeFor(totpSecret), id };
      const decided = await page.evaluate(async ({ baseUrl, email, password, code, id }) => {
        const { client } = globalThis as object as { client: Client };
        const gatehouse = client.createGatehouse({ baseUrl, secondFactor: async () => code });
        await gatehouse.signIn({ email, password });
        const body = { decision: 'deny' as const };
        const call = gatehouse.POST('/pam/elevation-requests/{id}/respond', { params: { path: { id } }, body });
        return client.ok(call);
      }, given);
      expect(decided).toMatchObject({ id, status: 'denied' });
    } finally {
      await browser.close();
    }
  });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line of one person, with a session file of its own. */
const commandLine =
  ({ password }: Person) =>
  (...args: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: directory,
        GATEHOUSE_URL: world.product.baseUrl,
        GATEHOUSE_PASSWORD: password,
      };
      execFile(process.execPath, [COMMAND, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
      );
    });

type Gatehouse = ReturnType<typeof commandLine>;

async function json<T>(gatehouse: Gatehouse, ...args: string[]): Promise<T> {
  const outcome = await gatehouse(...args, '--json');
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(outcome.stdout) as T;
}

async function signedIn(role: string): Promise<Gatehouse> {
  const person = await member(role);
  const gatehouse = commandLine(person);
  // On a busy machine a code may have passed before the program has sent it.
  const outcome = await until(async () => {
    const code = await Api.codeFor(person.totpSecret);
    const ended = await gatehouse('login', '--email', person.email, '--code', code);
    return ended.code === 0 && ended;
  });
  expect(outcome.stderr).toBe('');
  return gatehouse;
}

describe('a technician by the command line alone', () => {
  it('signs in, sees what waits, understands and decides it, and scripts are told by exit codes', async () => {
    const gatehouse = await signedIn('Partner Technician');
    const [wanted, unwanted] = [await prompt('C:\\Setup\\scanner.exe'), await prompt('C:\\Temp\\keygen.exe')];

    const waiting = await gatehouse('requests', 'list', '--status', 'pending', '--org', tenant.orgId);
    expect(waiting.stdout).toMatch(
      new RegExp(`^${wanted} +pending .* pc-1 +ACME\\\\ada +C:\\\\Setup\\\\scanner.exe`, 'm'),
    );
    const shown = await gatehouse('requests', 'show', unwanted);
    expect(shown.stdout).toMatch(/^notice +unsigned .*first_seen/m);
    expect(shown.stdout).toMatch(/^you may deny +yes$/m);
    const approved = await gatehouse('requests', 'approve', wanted, '--minutes', '5');
    expect(approved).toMatchObject({ code: 0, stdout: `${wanted} is approved.\n` });
    const denied = await json<{ status: string }>(
      gatehouse,
      'requests',
      'deny',
      unwanted,
      '--reason',
      'unknown program',
    );
    expect(denied.status).toBe('denied');

    const again = await gatehouse('requests', 'approve', unwanted, '--json');
    expect(again).toMatchObject({ code: 6, stdout: '' });
    expect(JSON.parse(again.stderr)).toMatchObject({ code: 'not_pending', currentStatus: 'denied' });
    expect((await gatehouse('keys', 'create', '--org', tenant.orgId, '--name', 'x')).code).toBe(4);
    expect((await gatehouse('orgs', 'show', randomUUID())).code).toBe(5);

    expect((await gatehouse('logout')).code).toBe(0);
    expect((await gatehouse('requests', 'list')).code).toBe(3);
  });
});

describe('an administrator by the command line alone', () => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await signedIn('Partner Admin');
  });

  it('creates an organisation and its enrolment key', async () => {
    const name = `cli-${randomUUID().slice(0, 8)}`;
    const made = await json<{ id: string }>(gatehouse, 'orgs', 'create', '--name', name, '--slug', name);
    const { data } = await json<{ data: { id: string }[] }>(gatehouse, 'orgs', 'list', '--search', name);
    expect(data.map(({ id }) => id)).toEqual([made.id]);

    const args = ['--org', made.id, '--name', 'cli', '--minutes', '60'];
    const key = await json<{ id: string; key: string }>(gatehouse, 'keys', 'create', ...args);
    const rotated = await json<{ key: string }>(gatehouse, 'keys', 'rotate', key.id);
    expect(rotated.key).not.toBe(key.key);
    expect((await gatehouse('keys', 'delete', key.id)).code).toBe(0);
    const left = await json<{ data: unknown[] }>(gatehouse, 'keys', 'list', '--org', made.id);
    expect(left.data).toEqual([]);
  });

  it('keeps rules in a file: what is exported changes nothing, what is edited is applied once', async () => {
    const { orgId } = tenant;
    const file = join(directory, 'rules.yaml');
    const apply = (...more: string[]) =>
      json<{ changes: object[] }>(gatehouse, 'rules', 'apply', '--org', orgId, '--file', file, ...more);
    const hash = 'ab'.repeat(32);
    writeFileSync(
      file,
      `rules:\n  - name: Printer\n    verdict: auto_approve\n    matchHash: ${hash}\n    priority: 20\n`,
    );
    expect(await apply('--dry-run')).toMatchObject({ dryRun: true, changes: [{ kind: 'create' }] });
    expect(await apply()).toMatchObject({ changes: [{ kind: 'create' }] });
    expect(await apply()).toMatchObject({ changes: [] });

    await json(gatehouse, 'rules', 'export', '--org', orgId, '--file', file);
    expect(await apply('--prune')).toMatchObject({ changes: [] });
    writeFileSync(file, readFileSync(file, 'utf8').replace('auto_approve', 'auto_deny'));
    expect(await apply()).toMatchObject({ changes: [{ kind: 'update', members: { verdict: 'auto_deny' } }] });
    writeFileSync(file, 'rules: []');
    expect(await apply('--prune')).toMatchObject({ changes: [{ kind: 'delete', name: 'Printer' }] });
  });

  it('tries rules out on past requests, applies them, asks why, and stops everything at once', async () => {
    const { orgId, deviceId } = tenant;
    const id = await prompt('C:\\Setup\\plotter.exe');
    const file = join(directory, 'candidate.yaml');
    writeFileSync(
      file,
      'rules:\n  - name: Plotter\n    verdict: auto_approve\n    matchPathGlob: "**\\\\plotter.exe"\n',
    );
    const replay = ['rules', 'replay', file, '--org', orgId];
    const tried = await json<{ summary: { newlyAutoApproved: number } }>(gatehouse, ...replay);
    expect(tried.summary.newlyAutoApproved).toBe(1);
    const applied = await gatehouse(...replay, '--apply');
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('applied: 1 rules') });

    const lint = await gatehouse('rules', 'lint', '--org', orgId);
    expect([lint.code, lint.stdout]).toEqual([1, expect.stringMatching(/^error +user_writable_path +Plotter/m)]);
    const explained = await json<{ explanation: object }>(gatehouse, 'rules', 'explain', id);
    expect(explained.explanation).toMatchObject({ basis: 'as_decided', outcome: 'pending', source: null });

    const freeze = ['freeze', 'device', deviceId, '--reason', 'stolen'];
    const made = await json<{ freeze: { id: string } }>(gatehouse, ...freeze);
    const other = await json<{ freeze: { id: string } }>(gatehouse, ...freeze);
    expect(await gatehouse('freeze', 'lift', other.freeze.id, '--reason', 'twice')).toMatchObject({ code: 0 });
    expect((await gatehouse('freeze', 'list', '--active', '--org', orgId)).stdout).toContain(made.freeze.id);
    const lifted = await gatehouse('freeze', 'lift', made.freeze.id, '--reason', 'found');
    expect(lifted).toMatchObject({ code: 0, stdout: `${made.freeze.id} has been lifted.\n` });
    writeFileSync(file, 'rules: []');
    expect((await gatehouse('rules', 'apply', '--org', orgId, '--file', file, '--prune')).code).toBe(0);
  });

  it('exports the audit log and verifies it, at the server and here', async () => {
    const [file, checkpoints] = [join(directory, 'log.jsonl'), join(directory, 'checkpoints.json')];
    const chain = ['--chain', tenant.partnerId];
    const verdict = await until(async () => {
      const outcome = await gatehouse('audit', 'verify', ...chain, '--json');
      return outcome.code === 0 && (JSON.parse(outcome.stdout) as { length: number });
    });
    expect(verdict.length).toBeGreaterThan(0);
    expect((await gatehouse('audit', 'checkpoints', ...chain, '--file', checkpoints)).code).toBe(0);
    expect((await gatehouse('audit', 'export', ...chain, '--file', file)).code).toBe(0);
    const offline = ['audit', 'verify', '--file', file, '--checkpoints', checkpoints];
    expect(await gatehouse(...offline)).toMatchObject({ code: 0, stdout: expect.stringContaining('valid') });

    writeFileSync(file, readFileSync(file, 'utf8').replace('"result":"success"', '"result":"failure"'));
    expect((await gatehouse(...offline)).code).toBe(8);
    const streamed = await gatehouse('audit', 'export', ...chain, '--format', 'csv');
    expect(streamed.stdout).toMatch(/^id,sequence,timestamp,chain,/);
  });
});

const COMMAND = fileURLToPath(new URL('../../../tools/cli/bin/gatehouse.mjs', import.meta.url));
const HALF_MINUTE_MS = 30_000;

/** The library as a script of a page sees it. */
interface Client {
  readonly createGatehouse: typeof createGatehouse;
  readonly ok: typeof ok;
}

interface Person {
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
}

/** A user of the partner with a second factor. The code that confirms it is that of the half minute before. */
async function member(role: string): Promise<Person> {
  const { admin, invitationFor } = world;
  const { data: roles } = await admin.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=partner');
  const email = `member-${randomUUID()}@example.test`;
  const password = `a long passphrase ${randomUUID()}`;
  const roleId = roles.find(({ name }) => name === role)?.id;
  const membership = { scope: 'partner', partnerId: tenant.partnerId, roleId, orgAccess: 'all' };
  await admin.must('POST', '/users', { email, name: role, membership });
  const token = await until(() => invitationFor(email), 30);
  const { accessToken } = await admin
    .as('')
    .must<{ accessToken: string }>('POST', '/auth/accept-invite', { token, password });
  const { secret } = await admin.as(accessToken).must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
  await until(async () => {
    const code = await Api.codeFor(secret, Date.now() - HALF_MINUTE_MS);
    return (await admin.as(accessToken).call('POST', '/auth/mfa/totp/confirm', { code })).status < 300;
  }, 30);
  return { email, password, totpSecret: secret };
}

/** A prompt that no rule knows, and that waits for a technician. @returns its id */
async function prompt(path: string): Promise<string> {
  const agent = new Api(world.product.baseUrl, tenant.agentToken);
  const { id, status } = await agent.eventually<{ id: string; status: string }>(
    'POST',
    `/agents/${tenant.deviceId}/elevation-requests`,
    { subject_username: 'ACME\\ada', target_executable_path: path, observed_at: new Date().toISOString() },
  );
  expect(status).toBe('pending');
  return id;
}
