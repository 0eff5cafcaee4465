import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resolver } from 'node:dns/promises';
import { DemoDns } from './demo-dns.ts';
import { qrCodeLines, signInLines } from './sign-in-lines.ts';

describe('the demo sign-ins', () => {
  it('are shown with address, password and the present code', async () => {
    const text = (await signInLines(tess)).join('\n');
    expect(text).toMatch(/tess@northwind\.example[^]*secret[^]*\d{6} [^]*http:\/\/localhost:3000\/login/);
    expect(await signInLines({ who: 'user', email: 'ada@acme.example', note: 'any password' })).toHaveLength(1);
  });

  it('have QR codes beside each other, as far as the terminal is wide', () => {
    const people = [tess, tess, { who: 'user', email: 'ada@acme.example' }];
    const [wide, narrow] = [qrCodeLines(people, 80), qrCodeLines(people, 40)];
    expect(Math.max(...wide.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(narrow.length).toBe(2 * wide.length);
  });
});

describe('the name server of the demo', () => {
  let dns: DemoDns;
  beforeAll(async () => {
    dns = await DemoDns.start({ '_proof.acme.example': 'earlier' });
  });
  afterAll(() => dns.stop());

  it('answers with the records of earlier starts and of this one', async () => {
    const resolver = new Resolver();
    resolver.setServers([dns.address]);
    dns.publish('_Proof.globex.example', 'now');
    expect(await resolver.resolveTxt('_proof.acme.example')).toEqual([['earlier']]);
    expect(await resolver.resolveTxt('_proof.globex.example')).toEqual([['now']]);
    await expect(resolver.resolve4('_proof.acme.example')).rejects.toMatchObject({ code: 'ENODATA' });
    expect(Object.keys(dns.records)).toHaveLength(2);
  });
});

const tess = {
  who: 'technician',
  email: 'tess@northwind.example',
  password: 'secret',
  totpSecret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  url: 'http://localhost:3000/login',
};
