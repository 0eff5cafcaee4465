import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { run, USAGE } from './cli.ts';
import { UsageError } from './exit-codes.ts';
import { SessionFile } from './command.ts';
import type { Terminal } from './command.ts';

const JSON_FILE = join(import.meta.dirname, '../package.json');

let directory: string;
let env: Record<string, string>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
  env = { GATEHOUSE_SESSION: join(directory, 'deep', 'session.json') };
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the exit code', () => {
  it.each([
    ['401', 401, 'session_revoked', 3],
    ['403', 403, 'permission_denied', 4],
    ['404', 404, 'organization_not_found', 5],
    ['409', 409, 'organization_frozen', 6],
    ['400', 400, 'validation_failed', 1],
    ['500', 500, 'internal_error', 7],
  ])('tells scripts of %s', async (_, status, code, expected) => {
    signedIn();
    const outcome = await gatehouse(['orgs', 'show', 'x', '--json'], status, { ...ANSWERS, status, code });
    expect(outcome).toMatchObject({ code: expected, out: '' });
    expect(JSON.parse(outcome.error)).toMatchObject({ code, requestId: 'r' });
  });

  it.each([
    ['no command', [], 'usage: gatehouse <command>'],
    ['an unknown command', ['orgs', 'burn'], 'unknown command'],
    ['a missing argument', ['requests', 'approve'], 'usage: gatehouse requests approve <id>'],
    ['one argument too many', ['orgs', 'list', 'x'], 'usage: gatehouse orgs list'],
    ['an unknown option', ['orgs', 'list', '--serach', 'x'], 'usage: gatehouse orgs list'],
    ['no number', ['requests', 'approve', 'x', '--minutes', 'ten'], '--minutes must be a whole number'],
    ['no status', ['requests', 'list', '--status', 'open'], '--status must be one of pending'],
    ['no level', ['freeze', 'group', 'x', '--reason', 'r'], '--level must be one of device'],
    ['a missing reason', ['freeze', 'lift', 'x'], '--reason is missing'],
    ['no stage', ['providers', 'enforce', 'x', 'always'], '--stage must be one of off, observe, warn, enforce'],
    ['a warning without a date', ['providers', 'enforce', 'x', 'warn'], '--at is missing'],
    ['no purpose', ['setup-links', 'create', '--purpose', 'repair'], '--purpose must be one of configure, renew'],
    ['a missing option', ['rules', 'lint'], '--org is missing'],
    ['rules of no owner', ['rules', 'export'], '--org or --partner is missing'],
    ['rules of two owners', ['rules', 'export', '--org', 'o', '--partner'], '--org and --partner cannot be combined'],
    ['no address', ['orgs', 'list', '--url', 'gatehouse.test'], 'gatehouse.test is not an http or https address'],
    ['a missing export', ['audit', 'verify', '--file', '/nowhere', '--checkpoints', JSON_FILE], 'cannot read /nowhere'],
    ['another file than an export', ['audit', 'verify', '--file', JSON_FILE, '--checkpoints', JSON_FILE], ''],
    ['a missing file', ['rules', 'apply', '--org', 'o', '--file', '/nowhere.yaml'], 'cannot read /nowhere.yaml'],
  ])('is 2 for %s', async (_, argv, message) => {
    signedIn();
    const outcome = await gatehouse(argv);
    expect(outcome.code).toBe(2);
    expect(outcome.error).toContain(message);
    expect(outcome.requests).toEqual([]);
  });

  it('is 2 for a file that cannot be written', async () => {
    signedIn();
    const outcome = await gatehouse(['audit', 'export', '--file', '/nowhere/log.jsonl']);
    expect([outcome.code, outcome.error]).toEqual([2, expect.stringContaining('cannot write /nowhere/log.jsonl')]);
  });

  it('is 3 without a session, and without one of this product', async () => {
    expect((await gatehouse(['orgs', 'list'])).code).toBe(3);
    signedIn();
    expect(await gatehouse(['orgs', 'list', '--url', 'http://other.test'])).toMatchObject({ code: 3, requests: [] });
  });
});

describe('a command', () => {
  it('prints JSON with --json, and a table without', async () => {
    signedIn();
    const body = {
      data: [{ id: 'o1', name: 'Acme\u001b[31m', slug: 'acme', status: 'active' }],
      pagination: { page: 1, limit: 50, total: 1 },
    };
    expect(JSON.parse((await gatehouse(['orgs', 'list', '--json'], 200, body)).out)).toEqual(body);
    const { out } = await gatehouse(['orgs', 'list'], 200, body);
    expect(out).toBe('id  name       slug  status\no1  Acme\uFFFD[31m  acme  active\n1 of 1');
  });

  it('sends what was asked for', async () => {
    signedIn();
    const { requests, out } = await gatehouse(
      ['requests', 'approve', 'x', '--minutes', '5', '--ticket', 'INC-1'],
      200,
      {
        success: true,
        id: 'x',
        status: 'approved',
      },
    );
    expect(requests).toEqual([
      'POST /api/v1/pam/elevation-requests/x/respond {"decision":"approve","durationMinutes":5,"ticket":"INC-1"}',
    ]);
    expect(out).toBe('x is approved.');
  });

  it('lists the machines that wait to return, and confirms or refuses one', async () => {
    signedIn();
    const device = { id: 'd2', hostname: 'pc-1', orgId: 'o', status: 'awaiting_confirmation', returnsAs: 'd1' };
    const page = { data: [device], pagination: { page: 1, limit: 50, total: 1 } };
    const listed = await gatehouse(['devices', 'list', '--status', 'awaiting_confirmation'], 200, page);
    expect(listed.out).toContain('d2  pc-1       o             awaiting_confirmation  d1');
    const confirmed = await gatehouse(['devices', 'return', 'confirm', 'd2'], 200, { ...device, id: 'd1' });
    expect([confirmed.out, confirmed.requests]).toEqual([
      'pc-1 is device d1 again.',
      ['POST /api/v1/devices/d2/return/confirm'],
    ]);
    const refused = await gatehouse(['devices', 'return', 'refuse', 'd2'], 200, device);
    expect(refused.requests).toEqual(['POST /api/v1/devices/d2/return/refuse']);
  });

  it('lists what runs out at providers, and shows and sets how far single sign-on is compulsory', async () => {
    signedIn();
    const expiry = { kind: 'certificate', providerId: 'p', providerName: 'Okta', expiresAt: '2027-01-01', daysLeft: 9 };
    const listed = await gatehouse(['providers', 'expiries', '--days', '60'], 200, { data: [expiry] });
    expect(listed.out).toBe('days  at          what         provider  id\n9     2027-01-01  certificate  Okta      p');
    const users = [
      { email: 'in@a.test', outcome: 'signs_in', reasons: [] },
      { email: 'out@a.test', outcome: 'stuck', reasons: ['never_signed_in', 'only_api_keys'] },
    ];
    const summary = { signsIn: 1, links: 0, provesAccount: 0, stuck: 1, exempt: 0 };
    const preview = { data: { stage: 'warn', enforceAt: '2027-02-01', summary, users } };
    const { out } = await gatehouse(['providers', 'enforcement', 'p'], 200, preview);
    expect(out).toContain('stage          warn');
    expect(out).toMatch(/stuck {10}1[^]*out@a\.test {2}stuck {5}never_signed_in, only_api_keys\nin@a\.test/);
    const set = await gatehouse(['providers', 'enforce', 'p', 'enforce', '--confirm', '1'], 200, {
      data: { name: 'Okta', enforcement: { stage: 'enforce' } },
    });
    const body = { stage: 'enforce', confirmStuck: 1 };
    expect(set.requests).toEqual([`PUT /api/v1/sso/providers/p/enforcement ${JSON.stringify(body)}`]);
    expect(set.out).toBe('Okta: enforce');
  });

  it('makes, lists and revokes links with which others set up or renew a provider', async () => {
    signedIn();
    const link = { id: 'l', status: 'open', purpose: 'renew', recipientEmail: 'it@a.test', expiresAt: '2027-01-08' };
    const url = 'http://gatehouse.test/sso-setup#token';
    const argv = ['setup-links', 'create', '--provider', 'p', '--purpose', 'renew', '--hours', '24'];
    const made = await gatehouse(argv, 201, { data: { ...link, url } });
    expect(made.requests).toEqual([
      'POST /api/v1/sso/setup-links {"providerId":"p","purpose":"renew","expiresInHours":24}',
    ]);
    expect(made.out).toBe(`${url}\nl, shown only once, expires 2027-01-08`);
    const listed = await gatehouse(['setup-links', 'list', '--partner'], 200, { data: [link] });
    expect(listed.out).toContain('l   open    renew    it@a.test  2027-01-08');
    const revoked = await gatehouse(['setup-links', 'revoke', 'l'], 200, { success: true });
    expect([revoked.requests, revoked.out]).toEqual([['DELETE /api/v1/sso/setup-links/l'], 'l has been revoked.']);
  });

  it('says how many approvals are missing', async () => {
    signedIn();
    const pending = { success: true, id: 'x', status: 'pending', votesGiven: 1, votesRequired: 2 };
    const { out } = await gatehouse(['requests', 'approve', 'x'], 200, pending);
    expect(out).toBe('x is pending. 1 of 2 approvals are given.');
  });

  it('uses an API key instead of a session', async () => {
    env['GATEHOUSE_API_KEY'] = 'ghk_x';
    env['GATEHOUSE_URL'] = 'http://gatehouse.test';
    const answer = { data: [], pagination: { page: 1, limit: 50, total: 0 } };
    expect((await gatehouse(['keys', 'list'], 200, answer)).code).toBe(0);
  });

  it('makes no change in a dry run', async () => {
    signedIn();
    const file = join(directory, 'rules.yaml');
    writeFileSync(file, 'rules: [{ name: New, verdict: ignore, matchSigner: Acme }]');
    const argv = ['rules', 'apply', '--org', 'o', '--file', file, '--dry-run'];
    const { requests, out } = await gatehouse(argv, 200, { success: true, rules: [] });
    expect(requests).toEqual(['GET /api/v1/pam/rules']);
    expect(out).toBe('create New\n1 changes, none made');
  });

  it('writes the rules of the partner', async () => {
    signedIn();
    const file = join(directory, 'rules.yaml');
    writeFileSync(file, 'rules: [{ name: New, verdict: auto_deny, matchSigner: Valve, precedence: before }]');
    const argv = ['rules', 'apply', '--partner', '--file', file];
    const { requests, out } = await gatehouse(argv, 200, { success: true, rules: [] });
    const body = {
      name: 'New',
      verdict: 'auto_deny',
      matchSigner: 'Valve',
      precedence: 'before',
      ownerScope: 'partner',
    };
    expect(requests).toEqual(['GET /api/v1/pam/rules', `POST /api/v1/pam/rules ${JSON.stringify(body)}`]);
    expect(out).toBe('create New\n1 changes');
    expect((await gatehouse(['rules', 'export', '--partner'], 200, { success: true, rules: [] })).out).toMatch(
      /^# Rules of the partner/,
    );
  });

  it('writes the rules of the partner that an operator names', async () => {
    signedIn();
    const argv = ['rules', 'export', '--partner-id', 'p'];
    const { out } = await gatehouse(argv, 200, { success: true, rules: [] });
    expect(out).toContain('rules apply --partner-id p --file FILE');
  });

  it('rules replay shows what would change, and applies it with --apply only', async () => {
    signedIn();
    const file = join(directory, 'rules.yaml');
    writeFileSync(file, 'rules: [{ name: New, verdict: ignore, matchSigner: Acme }]');
    const transitions = [{ from: 'pending', to: 'ignored', count: 3 }];
    const counts = { changed: 3, totalScanned: 9, devicesAffected: 2, newlyAutoApproved: 0 };
    const summary = { ...counts, transitions, lint: [], caveats: ['places_are_current'] };
    const answer = { success: true, rules: [], jobId: 'j', state: 'completed', summary, rulebookVersion: 2 };
    const argv = ['rules', 'replay', file, '--org', 'o'];
    const shown = await gatehouse(argv, 200, answer);
    expect(shown.out).toContain('3 of 9 requests would be decided otherwise, on 2 devices\n  pending -> ignored: 3');
    const change = { op: 'add', ref: 'rule 1', rule: { name: 'New', verdict: 'ignore', matchSigner: 'Acme' } };
    expect(shown.requests).toEqual([
      'GET /api/v1/pam/rules',
      `POST /api/v1/pam/replays ${JSON.stringify({ name: file, windowDays: 30, changes: [change] })}`,
      'GET /api/v1/pam/replays/j',
    ]);
    const applied = await gatehouse([...argv, '--apply'], 200, answer);
    expect(applied.requests.at(-1)).toBe('POST /api/v1/pam/replays/j/apply {"acceptNewlyApproved":0}');
    expect(applied.out).toContain('applied: 0 rules');
  });

  it('has help', async () => {
    expect(await gatehouse(['--help'])).toMatchObject({ code: 0, out: USAGE });
    expect((await gatehouse(['keys', 'create', '--help'])).out).toContain('gatehouse keys create [--org …]');
  });
});

describe('the session', () => {
  it('is kept in a file of its owner alone, and removed by logout', async () => {
    env['GATEHOUSE_PASSWORD'] = 'secret';
    const outcome = await gatehouse(argv, 200, answer);
    expect(outcome).toMatchObject({ code: 0, out: 'Signed in to http://gatehouse.test as a@b.test.' });
    const session = new SessionFile(env);
    expect(session.read()).toEqual({ url: SESSION.url, tokens: { accessToken: 'new', refreshToken: 'next' } });
    expect(statSync(session.path).mode & 0o777).toBe(0o600);
    expect((await gatehouse(['logout'])).code).toBe(0);
    expect(session.read()).toBeNull();
  });

  it('ATK-223 is not written through a link that lies where its file or the draft of this process would be', () => {
    const session = new SessionFile(env);
    const foreign = join(directory, 'foreign');
    mkdirSync(dirname(session.path));
    writeFileSync(foreign, 'before');
    for (const link of [session.path, `${session.path}.${process.pid}`]) symlinkSync(foreign, link);
    const kept = { url: SESSION.url, tokens: { accessToken: 'new', refreshToken: 'next' } };
    session.write(kept);
    expect(readFileSync(foreign, 'utf8')).toBe('before');
    expect(session.read()).toEqual(kept);
  });

  it('is not begun without a password or a second factor', async () => {
    expect(await gatehouse(argv)).toMatchObject({ code: 2, requests: [] });
    env['GATEHOUSE_PASSWORD'] = 'secret';
    const waiting = { mfaRequired: true, mfaToken: 'm', methods: ['totp'] };
    expect(await gatehouse(argv, 200, waiting)).toMatchObject({
      code: 2,
      error: expect.stringContaining('Second-factor code'),
    });
  });

  it('asks which membership, when there are several', async () => {
    env['GATEHOUSE_PASSWORD'] = 'secret';
    const memberships = [{ id: 'm1', role: 'Partner Admin', orgName: null, partnerName: 'Acme' }];
    const outcome = await gatehouse(argv, 200, { membershipRequired: true, memberships });
    expect(outcome.code).toBe(2);
    expect(outcome.out).toContain('m1');
  });

  const answer = { accessToken: 'new', refreshToken: 'next', expiresInSeconds: 900, user: { email: 'a@b.test' } };
  const argv = ['login', '--email', 'a@b.test', '--url', 'http://gatehouse.test'];
});

const SESSION = { url: 'http://gatehouse.test', tokens: { accessToken: 'a', refreshToken: 'r' } };
const ANSWERS = { type: 't', title: 't', detail: 'Nothing here.', requestId: 'r' };

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  readonly requests: readonly string[];
}

/** Runs one call against a server that answers everything alike. */
async function gatehouse(argv: readonly string[], status = 200, body: object = {}): Promise<Outcome> {
  const outcome = { out: '', error: '', requests: [] as string[] };
  const terminal: Terminal = {
    env,
    out: (text) => void (outcome.out += text),
    error: (text) => void (outcome.error += text),
    stdout: new Writable({ write: (chunk, _, done) => done(void (outcome.out += String(chunk))) }),
    ask: (question) => Promise.reject(new UsageError(`${question}: cannot prompt without a terminal`)),
  };
  const code = await run(argv, terminal, async (request) => {
    outcome.requests.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`.trim());
    return Response.json(body, { status });
  });
  return { code, ...outcome };
}

const signedIn = (): void => new SessionFile(env).write(SESSION);
