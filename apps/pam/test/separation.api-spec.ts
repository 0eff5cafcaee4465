import type { Principal } from '@gatehouse/contracts-core';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SsoProviderChanged } from '@gatehouse/contracts-identity';
import { DeviceChanged, DeviceGroupChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin, NO_OUTBOX, overlapping, patient } from '@gatehouse/testing';
import { setTimeout as wait } from 'node:timers/promises';
import { PamHarness, type Tenant } from './pam.harness.ts';

const pam = await PamHarness.start({ env: patient() });
afterAll(() => pam.stop());

describe('a request under an approval policy', () => {
  let acme: Tenant;
  let ann: Principal;
  let ben: Principal;
  let cleo: Principal;
  beforeEach(async () => {
    acme = await pam.tenant();
    [ann, ben, cleo] = [await pam.technician(acme), await pam.technician(acme), await pam.technician(acme)];
  });
  const rule = async (who: Principal, body: object): Promise<string> => {
    const own = { name: 'own', matchUser: 'stranger@example.test', matchNegate: ['user'], verdict: 'auto_approve' };
    return (await pam.as(who).post('/pam/rules').send(Object.assign(own, body))).body.rule?.id;
  };
  const change = (who: Principal, id: string, body: object) => pam.as(who).patch(`/pam/rules/${id}`).send(body);

  it('PAM-185 keeps the demand of its time, by the first level that fits (QUORUM-05)', async () => {
    const levels = [
      { name: 'tools', flowTypes: ['ai_tool_action'], riskTierMin: 4, approvals: 2, pendingMinutes: 30 },
      { name: 'site', siteIds: [acme.siteId], approvals: 2, pendingMinutes: 120 },
      { name: 'all', approvals: 1, pendingMinutes: 5 },
    ];
    expect((await policy({ levels })).status).toBe(200);
    const [asked, elsewhere] = [await ask(cleo), await ask(cleo, acme.otherDeviceId)];
    expect(await rowOf(asked.id)).toMatchObject({ votesRequired: 2, waits: 120, barredEditors: null });
    expect(await rowOf(elsewhere.id)).toMatchObject({ votesRequired: 1, waits: 5 });
    expect((await policy({ levels: [] })).status).toBe(200);
    expect(await rowOf((await ask(cleo)).id)).toMatchObject({ votesRequired: 1, pendingMinutes: null, waits: 15 });
    expect(await vote(asked.id, ann)).toMatchObject({ status: 'pending', votesGiven: 1, votesRequired: 2 });
    expect(await vote(asked.id, ben)).toMatchObject({ status: 'approved' });
    expect(await vote(elsewhere.id, ann)).toMatchObject({ status: 'approved', votesRequired: 1 });
  });

  it.each([
    ['switched off', { status: 'inactive', deleted: false }],
    ['being tested', { status: 'testing', deleted: false }],
    ['deleted', { status: 'active', deleted: true }],
    ['naming its users otherwise', { status: 'active', deleted: false, allUnlinked: true }],
    ['left by the voter', { status: 'active', deleted: false, unlinkedUserId: 'the voter' }],
  ] as const)('ATK-104 PAM-357 votes of sessions of an identity provider end when it is %s', async (_, ending) => {
    const end = { ...ending, ...('unlinkedUserId' in ending && { unlinkedUserId: ben.userId }) };
    const [providerId, next] = [newId(), newId()];
    const provider = { providerId, partnerId: acme.partnerId, orgId: acme.orgId, enforceSSO: false };
    await policy({ levels: [], default: { approvals: 2 } });
    const { id } = await ask(cleo);
    expect(await vote(id, { ...ben, providerId })).toMatchObject({ status: 'pending', votesGiven: 1 });
    await pam.service.deliver(SsoProviderChanged, { ...provider, providerId: newId(), ...end });
    const unlinkedUserId = ann.userId;
    await pam.service.deliver(SsoProviderChanged, { ...provider, status: 'active', deleted: false, unlinkedUserId });
    expect((await pam.as(ben).get(`/pam/elevation-requests/${id}`)).body.request.votes).toHaveLength(1);
    await pam.service.deliver(SsoProviderChanged, { ...provider, ...end });
    expect(await vote(id, { ...ben, providerId: next })).toMatchObject({ status: 'pending', votesGiven: 1 });
    await pam.service.deliver(SsoProviderChanged, { ...provider, providerId: next, ...end });
    expect(await vote(id, ann)).toMatchObject({ status: 'pending', votesGiven: 1 });
    expect(await vote(id, ben)).toMatchObject({ status: 'approved' });
  });

  it('ATK-104 PAM-370 requests of sessions of an identity provider end with it, waiting or granted', async () => {
    const [providerId, unlinkedUserId] = [newId(), cleo.userId];
    const provider = { providerId, partnerId: acme.partnerId, orgId: acme.orgId, enforceSSO: false };
    const asked = async (who: Principal) => [(await ask(who)).id, await tool(who), (await ask(who)).id];
    const [leavers, others] = [await asked({ ...cleo, providerId }), await asked(cleo)];
    for (const ids of [leavers, others]) expect(await vote(ids[2] ?? '', ann)).toMatchObject({ status: 'approved' });
    const statuses = (ids: string[]) =>
      Promise.all(ids.map(async (id) => (await pam.as(ann).get(`/pam/elevation-requests/${id}`)).body.request.status));
    const actuation = { elevationRequestId: leavers[2] };
    await pam.as(ann).post(`/devices/${acme.deviceId}/actuate-elevation`).send(actuation).expect(201);
    const active = { ...provider, status: 'active', deleted: false } as const;
    await pam.service.deliver(SsoProviderChanged, { ...active, unlinkedUserId: ben.userId });
    expect(await statuses(leavers)).toEqual(['pending', 'pending', 'actuating']);
    await pam.service.deliver(SsoProviderChanged, { ...active, unlinkedUserId });
    expect(await statuses(leavers)).toEqual(['expired', 'expired', 'revoked']);
    const orders = `SELECT FROM device_commands WHERE elevation_request_id = $1 AND type = 'actuate_elevation'
      AND status IN ('queued', 'claimed')`;
    expect(await pam.service.sql(orders, [leavers[2]])).toEqual([]);
    expect((await vote(leavers[0] ?? '', ann)).status).toBe(409);
    expect(await statuses(others)).toEqual(['pending', 'pending', 'approved']);
    const revoked = (await pam.service.audits('pam.elevation_request.revoke')).map(({ resource }) => resource.id);
    expect(revoked).toEqual([leavers[2]]);
  });

  it.each([
    ['asks', 'before'],
    ['asks', 'after'],
    ['votes', 'before'],
    ['votes', 'after'],
  ])('PAM-370 what such a session %s %s the end commits is refused, or ends with it', async (act, order) => {
    const [inside, { partnerId, orgId }] = [{ ...cleo, providerId: newId() }, acme];
    await policy({ levels: [], default: { approvals: 2 } });
    const [waiting, granted] = [(await ask(ann)).id, (await ask(inside)).id];
    for (const voter of [ann, ben]) await vote(granted, voter);
    const provider = { providerId: inside.providerId, partnerId, orgId, enforceSSO: false, deleted: true } as const;
    const end = () => pam.service.deliver(SsoProviderChanged, { ...provider, status: 'active' });
    const late = async () => (act === 'asks' ? ask(inside) : vote(waiting, inside));
    const answers = await overlapping<unknown>(
      pam.service,
      NO_OUTBOX,
      ...(order === 'before' ? [late, end] : [end, late]),
    );
    expect(answers[order === 'before' ? 0 : 1]).toMatchObject(
      order === 'before' ? { status: 'pending' } : { code: 'conflict' },
    );
    const left = await pam.service.sql(
      `SELECT FROM elevation_requests WHERE requester_provider_id = $1 AND status = 'pending' AND pending_until > now()
       UNION ALL SELECT FROM elevation_votes WHERE elevation_request_id = $2 AND voided_at IS NULL`,
      [inside.providerId, waiting],
    );
    expect(left).toEqual([]);
    expect([await tool(inside), await ask(inside)]).toMatchObject([undefined, { code: 'conflict' }]);
    expect((await ask({ ...inside, providerId: newId() })).status).toBe('pending');
    expect((await ask({ ...inside, sessionId: newId() })).status).toBe('pending');
  });

  it('PAM-185 never waits longer than the tool whose action it is', async () => {
    await policy({ levels: [], default: { pendingMinutes: 60 }, separation: { aiRequester: true } });
    const id = await tool(cleo, 600);
    expect(await rowOf(id)).toMatchObject({ waits: 10 });
    expect(await vote(id, cleo)).toMatchObject({ code: 'separation_of_duties', reason: 'requester' });
    await policy({ levels: [] });
    expect(await vote(id, cleo)).toMatchObject({ code: 'separation_of_duties' });
    expect(await vote(await tool(cleo), cleo)).toMatchObject({ status: 'approved' });
  });

  /** Changes that one person replayed and another one applied. */
  const applied = async (author: Principal, changes: object[], by = author): Promise<unknown> => {
    const { jobId } = (await pam.as(author).post('/pam/replays').send({ changes })).body;
    for (let round = 0; round < 200; round++) {
      const { body } = await pam.as(author).get(`/pam/replays/${jobId}`);
      if (body.state === 'completed') break;
      await wait(50);
    }
    return pam.as(by).post(`/pam/replays/${jobId}/apply`).send({ acceptNewlyApproved: 0 }).expect(200);
  };
  /** The same rule, by a replay. */
  const appliedRule = (who: Principal): Promise<unknown> => {
    const own = { name: 'own', matchUser: 'stranger@example.test', matchNegate: ['user'], verdict: 'auto_approve' };
    return applied(who, [{ op: 'add', ref: 'own', rule: own }]);
  };

  describe('with separation of rule editors', () => {
    beforeEach(() => policy({ levels: [], separation: { ruleEditors: true } }));

    it.each([
      ['who wrote the rule', () => rule(cleo, {})],
      [
        'who wrote it, also after a change by another user (QUORUM-04)',
        async () => {
          const id = await rule(cleo, {});
          await pam.service.sql(
            "UPDATE rulebook_parts SET valid_from = valid_from - interval '40 days' WHERE id = $1",
            [id],
          );
          await pam.as(ann).patch(`/pam/rules/${id}`).send({ description: 'A comma' });
        },
      ],
      ['who changed it lately', async () => change(cleo, await rule(ann, {}), { priority: 3 })],
      ['who applied it by a replay (REPLAY-04)', () => appliedRule(cleo)],
    ])('PAM-186 holds what a person granted themselves: %s (QUORUM-03)', async (_, prepare) => {
      await prepare();
      const { id, status } = await ask(cleo);
      expect(status).toBe('pending');
      const { request } = (await pam.as(ben).get(`/pam/elevation-requests/${id}`)).body;
      expect(request).toMatchObject({ held: 'separation_of_duties', votesRequired: 1, votes: [] });
      expect(await pam.service.metrics()).toMatch(/^gatehouse_pam_held_total\{held="separation_of_duties".*\} [1-9]/m);
      expect(await vote(id, cleo)).toMatchObject({ code: 'self_approval_denied' });
      expect(await vote(id, ben)).toMatchObject({ status: 'approved' });
      expect((await ask(ben)).status).toBe('auto_approved');
    });

    it('PAM-183 keeps those from voting who edited the rule or its signer group, then or since', async () => {
      const id = await rule(ann, { verdict: 'require_approval' });
      const asked = await ask(cleo);
      expect(await rowOf(asked.id)).toMatchObject({ barredEditors: [ann.userId] });
      expect(await vote(asked.id, ann)).toMatchObject({ code: 'separation_of_duties', reason: 'rule_editor' });
      await pam.as(ben).patch(`/pam/rules/${id}`).send({ description: 'Changed' });
      expect(await vote(asked.id, ben)).toMatchObject({ code: 'separation_of_duties', reason: 'rule_editor' });
      const [dora, author] = [await pam.technician(acme), await pam.technician(acme)];
      await applied(author, [{ op: 'update', ruleId: id, patch: { description: 'Replayed' } }], ann);
      expect(await vote(asked.id, author)).toMatchObject({ code: 'separation_of_duties', reason: 'rule_editor' });
      expect(await vote(asked.id, dora)).toMatchObject({ status: 'approved' });
    });

    const dora = () => anOrgAdmin(acme.partnerId, acme.orgId);
    const device = (version: number, groupIds: string[], by: Principal | null, own: object = {}): Promise<void> => {
      const agent = { hostname: 'DESK-1', status: 'online' as const, agentTokenHash: null, deleted: false };
      const actor = by && { type: 'user' as const, id: by.userId, name: by.name };
      return pam.service.deliver(DeviceChanged, { ...acme, groupIds, ...agent, version, ...own }, actor);
    };

    it.each([
      ['deleted', (id: string) => pam.as(cleo).delete(`/pam/rules/${id}`)],
      ['disabled', (id: string) => change(cleo, id, { enabled: false })],
      ['reordered', (id: string) => change(cleo, id, { priority: 900 })],
      ['narrowed', (id: string) => change(cleo, id, { matchUser: 'nobody@example.test', matchNegate: null })],
    ])('PAM-304 ATK-146 holds what a person got by a denial that they have %s', async (_, change) => {
      const denial = await rule(ben, { name: 'denial', verdict: 'auto_deny', priority: 1 });
      await rule(ann, { priority: 10 });
      expect((await ask(cleo)).status).toBe('denied');
      await change(String(denial));
      expect((await ask(cleo)).status).toBe('pending');
      expect((await ask(ben)).status).toBe('auto_approved');
    });

    it('PAM-304 keeps from voting who ended the denial of what no rule matches', async () => {
      const unmatched = (defaultUnmatchedVerdict: string) =>
        pam.as(ben).put('/pam/config').send({ defaultUnmatchedVerdict }).expect(200);
      await unmatched('auto_deny');
      expect((await ask(cleo)).status).toBe('denied');
      await pam.as(ann).put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny', defaultApprovalMinutes: 20 });
      await unmatched('require_approval');
      const { id } = await ask(cleo);
      expect(await rowOf(id)).toMatchObject({ barredEditors: [ben.userId] });
      expect(await vote(id, ben)).toMatchObject({ code: 'separation_of_duties', reason: 'rule_editor' });
      expect(await vote(id, ann)).toMatchObject({ status: 'approved' });
    });

    it('PAM-304 holds what a person got by asking for no ticket any more', async () => {
      const tickets = (who: Principal, mode: string) =>
        pam.as(who).put('/pam/justification-policy').send({ ticket: { mode } }).expect(200);
      await rule(ann, {});
      await tickets(ann, 'required');
      expect(await ask(cleo)).toMatchObject({ code: 'ticket_required' });
      await tickets(cleo, 'off');
      expect((await ask(cleo)).status).toBe('pending');
      expect((await ask(dora())).status).toBe('auto_approved');
    });

    it('PAM-304 holds what a person got by leaving a denial of the partner', async () => {
      const wide = { ownerScope: 'partner', precedence: 'before', optOut: 'allowed', verdict: 'auto_deny' };
      const denial = await rule(aPartnerAdmin(acme.partnerId), wide);
      await rule(ann, {});
      expect((await ask(cleo)).status).toBe('denied');
      await pam.as(cleo).put(`/pam/rules/${denial}/opt-out`).send({ reason: 'Ours' }).expect(200);
      expect((await ask(cleo)).status).toBe('pending');
      expect((await ask(dora())).status).toBe('auto_approved');
    });

    it('PAM-304 holds what a person got by bringing the organisation back under a rule of the partner', async () => {
      const wide = { ownerScope: 'partner', precedence: 'after' };
      const optOut = `/pam/rules/${await rule(aPartnerAdmin(acme.partnerId), wide)}/opt-out`;
      for (const reason of ['Ours', 'Still ours']) await pam.as(ben).put(optOut).send({ reason }).expect(200);
      await pam.as(cleo).delete(optOut).expect(200);
      expect((await ask(cleo)).status).toBe('pending');
      expect((await ask(ben)).status).toBe('auto_approved');
    });

    it('PAM-304 holds what the author of a replay got by a denial that it ended, whoever applied it', async () => {
      const denial = await rule(ann, { name: 'denial', verdict: 'auto_deny', priority: 1 });
      await rule(ann, { priority: 10 });
      await applied(cleo, [{ op: 'remove', ruleId: denial }], ben);
      expect((await ask(cleo)).status).toBe('pending');
      expect((await ask(ben)).status).toBe('pending');
      expect((await ask(dora())).status).toBe('auto_approved');
    });

    it('PAM-304 forgets a change after 30 days, and one that changed no verdict', async () => {
      const denial = String(await rule(ben, { name: 'denial', verdict: 'auto_deny', priority: 1 }));
      await rule(ann, { priority: 10 });
      await pam.as(dora()).patch(`/pam/rules/${denial}`).send({ description: 'A comma' });
      await pam.as(cleo).delete(`/pam/rules/${denial}`);
      await pam.service.sql(
        `UPDATE rulebook_parts SET valid_to = valid_to - interval '31 days',
        valid_from = valid_from - interval '31 days' WHERE id = $1`,
        [denial],
      );
      await rule(ann, { name: 'another', matchUser: 'x' });
      expect((await ask(cleo)).status).toBe('auto_approved');
    });

    it('PAM-304 ATK-147 keeps people from voting who took the device out of a group, or lowered its level', async () => {
      const groupId = newId();
      const level = { name: 'group', deviceGroupIds: [groupId], approvals: 2, pendingMinutes: 30 };
      await pam.service.deliver(DeviceGroupChanged, { ...acme, groupId, name: 'DC', deleted: false, version: 1 });
      await device(2, [groupId], null);
      expect((await policy({ levels: [level], separation: { ruleEditors: true } })).status).toBe(200);
      expect(await rowOf((await ask(cleo)).id)).toMatchObject({ votesRequired: 2, barredEditors: null });
      await device(3, [], ben);
      const alone = (await ask(cleo)).id;
      expect(await rowOf(alone)).toMatchObject({ votesRequired: 1, barredEditors: [ben.userId] });
      await device(4, [groupId], ben);
      expect(await vote(alone, ben)).toMatchObject({ code: 'separation_of_duties', reason: 'rule_editor' });
      await pam
        .as(ann)
        .put('/pam/approval-policy')
        .send({ levels: [{ ...level, approvals: 1 }], separation: { ruleEditors: true } });
      const lowered = (await ask(cleo)).id;
      expect(await vote(lowered, ann)).toMatchObject({ code: 'separation_of_duties' });
    });

    it.each([
      ['before', 'decommissioned'],
      ['after', 'decommissioned'],
      ['after', 'offline'],
    ] as const)(
      'PAM-372 ATK-230 a machine enrolled anew %s its device is %s keeps level and editors',
      async (when, status) => {
        const [groupId, anew, stranger] = [newId(), newId(), newId()];
        const levels = [{ name: 'group', deviceGroupIds: [groupId], approvals: 2, pendingMinutes: 30 }];
        await pam.service.deliver(DeviceGroupChanged, { ...acme, groupId, name: 'DC', deleted: false, version: 1 });
        await device(2, [groupId], ann);
        await policy({ levels, separation: { ruleEditors: true } });
        const left = (): Promise<unknown> => device(3, [groupId], ben, { hostname: 'DC-1', status });
        if (when === 'before') await left();
        else await device(3, [groupId], ben, { hostname: 'DC-1' });
        await device(1, [], null, { deviceId: anew, hostname: 'dc-1' });
        await device(1, [], null, { deviceId: stranger, hostname: 'dc-2' });
        if (when === 'after') await device(4, [groupId], ben, { hostname: 'DC-1', status });
        expect(await rowOf((await ask(cleo, anew)).id)).toMatchObject({
          votesRequired: 2,
          barredEditors: [ann.userId],
        });
        expect(await rowOf((await ask(cleo, stranger)).id)).toMatchObject({ votesRequired: 1, barredEditors: null });
      },
    );
  });

  it.each([
    [undefined, 'pending'],
    [false, 'pending'],
    [true, 'auto_approved'],
  ])(
    'PAM-302 ATK-148 a level of two votes binds automatic grants, with automaticGrants %s: %s',
    async (automaticGrants, status) => {
      await rule(ann, {});
      const level = { name: 'site', siteIds: [acme.siteId], approvals: 2, pendingMinutes: 30, automaticGrants };
      expect((await policy({ levels: [level] })).body.approvalPolicy.levels).toEqual([
        JSON.parse(JSON.stringify(level)),
      ]);
      const asked = await ask(cleo);
      expect(asked.status).toBe(status);
      if (status === 'pending') expect(await rowOf(asked.id)).toMatchObject({ votesRequired: 2 });
      expect((await ask(cleo, acme.otherDeviceId)).status).toBe('auto_approved');
    },
  );

  it('PAM-304 does not count the vote of a person who has become an editor since', async () => {
    const id = String(await rule(ann, { verdict: 'require_approval' }));
    await policy({ default: { approvals: 2 }, separation: { ruleEditors: true } });
    const [dora, asked] = [await pam.technician(acme), await ask(cleo)];
    expect(await vote(asked.id, ben)).toMatchObject({ status: 'pending', votesGiven: 1 });
    await pam.as(ben).patch(`/pam/rules/${id}`).send({ priority: 7 });
    expect(await vote(asked.id, dora)).toMatchObject({ status: 'pending', votesGiven: 1 });
    expect(await vote(asked.id, await pam.technician(acme))).toMatchObject({ status: 'approved' });
  });

  const policy = (body: object) => pam.as(ann).put('/pam/approval-policy').send(body);
  const ask = async (who: Principal, deviceId = acme.deviceId): Promise<{ id: string; status: string }> =>
    (await pam.as(who).post('/pam/elevation-requests').send({ deviceId, reason: 'needed' })).body;
  const vote = async (id: string, who: Principal): Promise<{ status: string | number; code?: string }> =>
    (await pam.as(who).post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'approve' })).body;
  const tool = async (who: Principal, timeoutSeconds = 3600): Promise<string> => {
    const action = { deviceId: acme.deviceId, toolName: 'run_script', input: {}, timeoutSeconds };
    return (await pam.as(who).post('/pam/tool-actions').send(action)).body.id;
  };
  const rowOf = async (id: string): Promise<Row | undefined> => {
    const [row] = await pam.service.sql<Row>(
      `SELECT votes_required AS "votesRequired", barred_editors AS "barredEditors", pending_minutes AS "pendingMinutes",
              round(extract(epoch FROM pending_until - requested_at) / 60)::int AS waits FROM elevation_requests
                WHERE id = $1`,
      [id],
    );
    return row;
  };
});

interface Row {
  readonly votesRequired: number;
  readonly barredEditors: string[] | null;
  readonly pendingMinutes: number | null;
  readonly waits: number;
}
