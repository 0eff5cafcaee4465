import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { type FreezeFact, FreezeStarted } from '@gatehouse/contracts-pam';
import { DeviceReenrolled } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { IdentityHarness } from './identity.harness.ts';

describe('a mail as it is sent (IDY-36)', () => {
  let identity: IdentityHarness;
  let [partnerId, orgId] = ['', ''];
  beforeAll(async () => {
    identity = await IdentityHarness.start();
    partnerId = await identity.partner();
    orgId = await identity.org(partnerId);
  });
  afterAll(() => identity.stop());

  it.each([
    ['Ann', '7bit'],
    ['Jürgen', '8bit'],
  ])(
    'by %s has a text and an HTML part of %s lines, and its link whole on a line of its own',
    async (name, encoding) => {
      const lines = (await invitedBy(name)).split('\r\n');
      const contentOf = (kind: string): string[] => {
        const start = lines.indexOf(`Content-Type: text/${kind}; charset=utf-8`);
        return lines.slice(
          start,
          lines.findIndex((line, at) => at > start && line.startsWith('--')),
        );
      };
      for (const kind of ['plain', 'html']) {
        const part = contentOf(kind);
        expect(part[1]).toBe(`Content-Transfer-Encoding: ${encoding}`);
        expect(part.filter((line) => /^https?:\/\/\S+\/accept-invite\?token=[\w-]{43}$/.test(line))).toHaveLength(1);
        expect(part.join('\n')).toContain(name);
      }
    },
  );

  it('names the organisation that it is about', async () => {
    const mail = await invitedBy('Ann');
    expect(mail.replaceAll('\r\n ', ' ')).toContain(`Subject: You have been invited to Org ${orgId} on Gatehouse`);
    expect(mail).toContain(`Ann invites you to Org ${orgId} on Gatehouse.`);
  });

  async function invitedBy(name: string): Promise<string> {
    const boss = await identity.administratorOf(partnerId);
    const email = `${newId()}@example.test`;
    await identity.service
      .as(aPartnerAdmin(partnerId, { userId: boss, name }))
      .post('/users')
      .send({ email, name: 'Pat', membership: { scope: 'organization', orgId, roleId: VIEWER } })
      .expect(201);
    await identity.mailedToken(email);
    return identity.mails().find((mail) => mail.includes(`To: ${email}`)) ?? '';
  }
});

describe('a mail to administrators', () => {
  let identity: IdentityHarness;
  beforeAll(async () => {
    identity = await IdentityHarness.start();
  });
  afterAll(() => identity.stop());

  it('IDY-90 goes to the administrators of the organisation and of its partner, and to 20 at most', async () => {
    const partnerId = await identity.partner();
    const orgId = await identity.org(partnerId);
    const boss = await identity.administratorOf(partnerId);
    await identity.administratorOf(await identity.partner());
    const organization = { partnerId, orgId };
    await identity.member('admin@example.test', { ...organization, roleId: roleOf('Organization Admin') });
    await identity.member('viewer@example.test', { ...organization, roleId: VIEWER });
    const [row] = await identity.service.sql<{ email: string }>('SELECT email FROM users WHERE id = $1', [boss]);
    const freeze = (freezeId: string): FreezeFact => ({
      freezeId,
      ...organization,
      siteId: null,
      level: 'organization',
      targetId: orgId,
      mode: 'lockdown',
      expiresAt: '2026-12-01T00:00:00.000Z',
      actorId: boss,
    });
    await identity.service.deliver(FreezeStarted, freeze(newId()));
    for (let round = 0; mailedTo().length < 2 && round < 100; round++) await wait(100);
    expect(mailedTo()).toEqual(['admin@example.test', row?.email].sort());
    const mail = identity.mails().find((one) => one.includes('To: admin@example.test')) ?? '';
    expect(mail).toContain(`Org ${orgId} is frozen until 2026-12-01, 00:00 UTC.`);
    for (let n = 0; n < 25; n++)
      await identity.member(`admin${n}@example.test`, { ...organization, roleId: roleOf('Organization Admin') });
    await identity.service.deliver(FreezeStarted, freeze(newId()));
    for (let round = 0; mailedTo().length < 22 && round < 200; round++) await wait(100);
    expect(mailedTo()).toHaveLength(22);
    expect(mailedTo().filter((to) => to === row?.email)).toHaveLength(1);
  });

  it('TEN-69 says that a machine has enrolled again', async () => {
    const partnerId = await identity.partner();
    const orgId = await identity.org(partnerId);
    const place = { partnerId, orgId };
    await identity.member('keeper@example.test', { ...place, roleId: roleOf('Organization Admin') });
    await identity.member('reader@example.test', { ...place, roleId: VIEWER });
    const device = { deviceId: newId(), siteId: newId(), hostname: 'pc-1', ...place };
    await identity.service.deliver(DeviceReenrolled, device);
    const mails = (): string[] => identity.mails().filter((mail) => mail.includes('Subject: pc-1 was re-enrolled'));
    for (let round = 0; mails().length === 0 && round < 100; round++) await wait(100);
    expect(mails().map((mail) => /^To: (.+)$/m.exec(mail)?.[1]?.trim())).toEqual(['keeper@example.test']);
    expect(mails()[0]).toContain('with a new token. Its old token no longer works.');
    expect(mails()[0]).toContain(`/devices/${device.deviceId}\r\n`);
  });

  const roleOf = (wanted: string): string | undefined => SYSTEM_ROLES.find(({ name }) => name === wanted)?.id;
  const mailedTo = (): string[] =>
    identity
      .mails()
      .filter((mail) => mail.includes('Subject: Privileged access is frozen'))
      .flatMap((mail) => /^To: (.+)$/m.exec(mail)?.[1]?.trim() ?? [])
      .sort();
});

const VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
