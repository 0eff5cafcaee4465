import type { Principal } from '@gatehouse/contracts-core';
import { ApprovalPushRequested } from '@gatehouse/contracts-pam';
import { anOrgAdmin, patient, until } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExpireElevations } from '../src/approvals/expire-elevations.ts';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('open approvals of one device', () => {
  let pam: PamHarness;
  let acme: Tenant;
  let tech: Principal;
  besidePam((started) => (pam = started), { env: patient() });
  beforeEach(async () => {
    acme = await pam.tenant();
    tech = await pam.technician(acme);
  });
  it('ATK-13a are at most twenty for one technician, and the newest stands for the others', async () => {
    const ids = await prompts(60);
    const open = await cards();
    expect(open.map(({ elevationRequestId }) => elevationRequestId)).toEqual(ids.slice(0, 20).reverse());
    expect(countsOf(open)).toEqual([41, ...Array.from({ length: 19 }, () => 1)]);
    expect((await pam.as(tech).get(`/approvals/${open[0]?.id}`)).body.approval.promptCount).toBe(41);
    expect(
      (await pam.service.emitted(ApprovalPushRequested)).filter(({ data }) => data.userId === tech.userId),
    ).toHaveLength(20);
  });

  it('ATK-13b decide no prompt but the one that they show', async () => {
    const ids = await prompts(25);
    const [newest] = await cards();
    expect(newest?.promptCount).toBe(6);
    expect((await pam.as(tech).post(`/approvals/${newest?.id}/approve`).send({})).status).toBe(200);
    expect(await pam.statusOf(newest?.elevationRequestId ?? '')).toBe('approved');
    const others = await statuses(ids.filter((id) => id !== newest?.elevationRequestId));
    expect(others).toEqual(Array.from({ length: 24 }, () => 'pending'));
  });

  it('ATK-13c give their place to the oldest prompt that has none, and are told of to the phone', async () => {
    const ids = await prompts(23);
    for (const waiting of [ids[20], ids[21], ids[22]]) {
      const oldest = (await cards()).at(-1);
      await pam.as(tech).post(`/approvals/${oldest?.id}/deny`).send({});
      await until(async () => (await cards())[0]?.elevationRequestId === waiting);
      expect(await cards()).toHaveLength(20);
    }
    expect(countsOf(await cards())).toEqual(Array.from({ length: 20 }, () => 1));
    expect(await pam.service.sql('SELECT FROM approval_questions WHERE NOT parked')).toEqual([]);
    expect(
      (await pam.service.emitted(ApprovalPushRequested)).filter(({ data }) => data.userId === tech.userId),
    ).toHaveLength(23);
  });

  it('ATK-13d give their place up when they expire, and when the request is decided from the queue', async () => {
    const ids = await prompts(22);
    await pam
      .as(anOrgAdmin(acme.partnerId, acme.orgId))
      .post(`/pam/elevation-requests/${ids[3]}/respond`)
      .send({ decision: 'deny' });
    await until(async () => (await cards())[0]?.elevationRequestId === ids[20]);
    await pam.service.sql(`UPDATE approvals SET expires_at = now() WHERE elevation_request_id = $1`, [ids[0]]);
    await pam.service.service.app.get(ExpireElevations).run();
    await until(async () => (await cards())[0]?.elevationRequestId === ids[21]);
  });

  it('ATK-13e count for each technician and each device by itself', async () => {
    await prompts(22);
    const other = await pam.technician(acme);
    expect(await cards(other)).toEqual([]);
    const elsewhere = await pam.request(acme, { deviceId: acme.otherDeviceId });
    await pam.announce({ ...acme, deviceId: acme.otherDeviceId, siteId: acme.otherSiteId }, elsewhere);
    expect((await cards()).map(({ elevationRequestId, promptCount }) => [elevationRequestId, promptCount])[0]).toEqual([
      elsewhere,
      1,
    ]);
    expect(await cards()).toHaveLength(21);
    expect(countsOf(await cards(other))).toEqual([1]);
  });

  it('ATK-13f stay at most twenty when many prompts are asked about at once', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => pam.request(acme)));
    await Promise.all(ids.map((id) => pam.announce(acme, id)));
    expect(await cards()).toHaveLength(20);
    expect(Math.max(...countsOf(await cards()))).toBe(21);
  });

  it('ATK-13g forget prompts about which no technician is asked any more', async () => {
    const ids = await prompts(24);
    await pam.service.sql(`UPDATE elevation_requests SET pending_until = now() WHERE id = ANY ($1::uuid[])`, [ids]);
    await pam.service.sql(`UPDATE approvals SET expires_at = now() WHERE elevation_request_id = ANY ($1::uuid[])`, [
      ids,
    ]);
    await pam.service.service.app.get(ExpireElevations).run();
    await until(
      async () =>
        (await pam.service.sql('SELECT FROM approval_questions WHERE elevation_request_id = ANY ($1::uuid[])', [ids]))
          .length === 0,
    );
    expect(await cards()).toEqual([]);
  });

  const cards = async (technician = tech): Promise<Card[]> =>
    (await pam.as(technician).get('/approvals?status=pending')).body.approvals as Card[];
  const prompts = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await pam.request(acme));
    for (const id of ids) await pam.announce(acme, id);
    return ids;
  };
  const statuses = async (ids: readonly string[]): Promise<string[]> =>
    (
      await pam.service.sql<{ status: string }>('SELECT status FROM elevation_requests WHERE id = ANY ($1::uuid[])', [
        ids,
      ])
    ).map(({ status }) => status);
  const countsOf = (list: readonly Card[]): number[] => list.map(({ promptCount }) => promptCount);
});

interface Card {
  readonly id: string;
  readonly elevationRequestId: string;
  readonly promptCount: number;
}
