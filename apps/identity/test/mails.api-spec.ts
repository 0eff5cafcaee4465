import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

const VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;

describe('a mail as it is sent (IDY-36)', () => {
  let identity: IdentityHarness;
  let [partnerId, orgId] = ['', ''];
  beforeAll(async () => {
    identity = await IdentityHarness.start();
    partnerId = await identity.partner();
    orgId = await identity.org(partnerId);
  });
  afterAll(() => identity.stop());

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
    expect(mail.replaceAll('\r\n ', ' ')).toContain(`Subject: You are invited to Org ${orgId} on Gatehouse`);
    expect(mail).toContain(`Ann invites you to Org ${orgId} on Gatehouse.`);
  });
});
