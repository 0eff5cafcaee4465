import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Journey, StepFailed } from './journey.ts';
import { invitationToken } from './mailbox.ts';
import { at, list, ProductClient, text, type Answer, type Body } from './product-client.ts';
import { readSettings } from './settings.ts';
import { signInAdministrator } from './sign-in.ts';

describe('the narrated journey', () => {
  it('tells what came back', async () => {
    const { lines, journey } = narrate();
    await journey.step('create', 201, async () => answer(201, { data: { id: 'x' } }), { shows: ['data.id'] });
    await journey.check('look', async () => 'seen');
    expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([' ✓ create 201 id=x', ' ✓ look seen']);
    expect(journey.steps).toBe(2);
  });

  it('stops at a wrong status, a wrong answer and a failed check', async () => {
    const { lines, journey } = narrate();
    await expect(journey.step('a', 200, async () => answer(403, { code: 'mfa_required' }))).rejects.toThrow(StepFailed);
    await expect(journey.step('b', 200, async () => answer(200), { holds: () => false })).rejects.toThrow(StepFailed);
    await expect(journey.check('c', () => Promise.reject(new Error('nothing came')))).rejects.toThrow(StepFailed);
    expect(lines.join('\n')).toMatch(
      /expected status 200, got 403 {"code":"mfa_required"}[^]*expected another answer[^]*nothing came/,
    );
    expect(journey.steps).toBe(0);
  });

  it('gives the services time to hear of each other, where a step says so', async () => {
    const { journey } = narrate();
    const answers = [answer(404), answer(404), answer(200)];
    await journey.step('settles', 200, async () => answers.shift() ?? answer(500), { settles: true });
    await expect(journey.step('does not', 200, async () => answer(404))).rejects.toThrow(StepFailed);
  });
});

describe('reading answers', () => {
  it('follows dotted paths and names what is missing', () => {
    expect([at(body, 'data.0.id'), at(body, 'data.1.id'), text(body, 'data.0.id'), list(body, 'data.0.tags')]).toEqual([
      'x',
      undefined,
      'x',
      [],
    ]);
    expect(() => text(body, 'data.0.name')).toThrow('no data.0.name');
    expect(() => list(body, 'data.0.id')).toThrow('no list data.0.id');
  });

  it('tells in words who refuses, that another program answers, and that none does', async () => {
    const refused = { code: 'permission_denied', detail: 'You do not have the required permission.' };
    expect(() => text(refused, 'data.key')).toThrow(/^You do not have the required permission \(permission_denied\)$/);
    expect(() => text({ text: '<html>' }, 'id')).toThrow(/^the answer has no id: another program answers/);
    const nowhere = new ProductClient('http://localhost:1');
    await expect(nowhere.get('/orgs')).rejects.toThrow(/^no product answers at http:\/\/localhost:1: start it with/);
    const server = createServer((_, response) => response.end('{"mfaRequired":true,"mfaToken":"x"}'));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const product = new ProductClient(`http://localhost:${(server.address() as AddressInfo).port}`);
    const signIn = signInAdministrator(product, { email: 'a@x.example', password: 'x', totpSecret: 'none' });
    await expect(signIn).rejects.toThrow(/^BOOTSTRAP_ADMIN_TOTP_SECRET is not the secret/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const env = { BOOTSTRAP_ADMIN_PASSWORD: 'x', GATEHOUSE_STACK_DIRECTORY: tmpdir() };
    expect(readSettings(['--live', '--url', 'http://localhost:1'], env).task).toBe('live');
  });

  const body = { data: [{ id: 'x', tags: [] }] };
});

describe('the mailbox', () => {
  it('finds the newest invitation of a person, also in quoted-printable', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-mail-'));
    writeFileSync(join(directory, '1.eml'), 'To: b@x.example\r\n\r\nhttp://localhost/accept-invite?token=other');
    writeFileSync(
      join(directory, '2.eml'),
      'To: a@x.example\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nhttp://localhost/accept-inv=\r\nite?token=3Dabc_=\r\nDEF-1 .',
    );
    expect(await invitationToken(directory, 'a@x.example')).toBe('abc_DEF-1');
    rmSync(directory, { recursive: true });
  });
});

const answer = (status: number, body: Body = {}): Answer => ({ status, body, headers: new Headers() });

const narrate = () => {
  const lines: string[] = [];
  return { lines, journey: new Journey((line) => lines.push(line)) };
};
