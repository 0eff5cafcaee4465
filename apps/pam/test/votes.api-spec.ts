import { atOnce } from '@gatehouse/testing';
import { ElevationApproved, ElevationVoteGiven } from '@gatehouse/contracts-pam';
import { TechnicianChanged } from '@gatehouse/contracts-identity';
import type { Principal } from '@gatehouse/contracts-core';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const replica = await PamHarness.start({ replicaOf: pam.service });
const acme = await pam.tenant();
const [ann, ben, cleo] = [
  await pam.technician(acme, { name: 'Ann' }),
  await pam.technician(acme, { name: 'Ben' }),
  await pam.technician(acme, { name: 'Cleo' }),
];
afterAll(async () => {
  await replica.stop();
  await pam.stop();
});

describe('requests that several people have to approve', () => {
  it('PAM-181 wait for the last vote, which opens the shortest window that was given (QUORUM-07)', async () => {
    const id = await demanding();
    expect((await vote(id, ann, 1440)).body).toEqual({
      success: true,
      id,
      status: 'pending',
      votesGiven: 1,
      votesRequired: 2,
    });
    expect(await shown(id, ben)).toMatchObject({
      status: 'pending',
      votesRequired: 2,
      votes: [{ name: 'Ann', at: expect.stringMatching(/^\d{4}-.*Z$/) }],
      held: null,
      mayRespond: { approve: true, deny: true },
    });
    expect((await shown(id, ann)).mayRespond).toEqual({ approve: 'already_voted', deny: true });
    expect((await vote(id, ben)).body).toMatchObject({ status: 'approved', votesGiven: 2, votesRequired: 2 });
    expect((await shown(id, ann)).durationMinutes).toBe(15);

    const votes = (await pam.service.emitted(ElevationVoteGiven)).filter(({ aggregateId }) => aggregateId === id);
    expect(votes.map(({ data }) => [data.status, data.votesGiven, data.votesRequired])).toEqual([
      ['pending', 1, 2],
      ['approved', 2, 2],
    ]);
    expect((await pam.service.emitted(ElevationApproved)).filter(({ aggregateId }) => aggregateId === id)).toHaveLength(
      1,
    );
    const audits = await pam.service.audits('pam.elevation_request.approve');
    expect(audits.filter(({ resource }) => resource.id === id).map(({ details }) => details)).toMatchObject([
      { status: 'pending', votesGiven: 1, votesRequired: 2 },
      { status: 'approved', votesGiven: 2, votesRequired: 2 },
    ]);
  });

  it('PAM-182 count one vote of a person, on the phone as at the desk (QUORUM-01)', async () => {
    const id = await demanding();
    await pam.announce(acme, id);
    const cardOf = async (who: Principal | undefined) =>
      (await pam.as(who ?? null).get('/approvals?status=pending')).body.approvals.find(
        (card: { elevationRequestId: string }) => card.elevationRequestId === id,
      );
    const [card, other] = [await cardOf(ann), await cardOf(ben)];
    expect(card).toMatchObject({ votesRequired: 2, votes: [], held: null, expiresAt: card.request.pendingUntil });
    const phone = pam.as(ann ?? null);
    expect((await phone.post(`/approvals/${card.id}/approve`).send({})).body).toMatchObject({
      status: 'pending',
      votesGiven: 1,
    });
    const again = [
      phone.post(`/approvals/${card.id}/approve`).send({}),
      vote(id, ann, 15, replica),
      vote(id, ann && { ...ann, sessionId: null, permissions: ['*'] }),
    ];
    for (const answer of await Promise.all(again))
      expect(answer.body).toMatchObject({ status: 409, code: 'already_voted' });
    expect((await phone.get(`/approvals/${card.id}`)).body.approval).toMatchObject({ status: 'approved' });
    expect(await cardOf(ben)).toMatchObject({ id: other.id, status: 'pending', votes: [{ name: 'Ann' }] });
    expect((await phone.post(`/approvals/${card.id}/deny`).send({})).body).toMatchObject({ status: 'denied' });
    expect((await vote(id, ben)).body).toMatchObject({ code: 'not_pending', currentStatus: 'denied' });
  });

  it('PAM-181 are decided by one of fifty votes for the last place, on two replicas (QUORUM-02)', async () => {
    const id = await demanding({ votes: 3 });
    await vote(id, ann);
    await vote(id, ben);
    const last = await Promise.all(Array.from({ length: 9 }, () => pam.technician(acme, { subscriptions: 0 })));
    const answers = await atOnce(50, (at) => vote(id, last[at % 9], 15, at % 2 ? pam : replica));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await shown(id, ann)).votes).toHaveLength(3);
  });

  it('PAM-184 no longer count the vote of a person whose reach has ended (QUORUM-06)', async () => {
    const [gone, elsewhere] = [await pam.technician(acme), await pam.technician(acme)];
    const id = await demanding({ votes: 3 });
    for (const voter of [gone, elsewhere]) await vote(id, voter);
    const level = 'organization' as const;
    const own = { level, partnerId: acme.partnerId, allOrgs: false, orgIds: [acme.orgId] };
    const moved = { ...own, siteIds: [acme.otherSiteId], permissions: ['devices:execute' as const] };
    for (const [{ userId }, reaches] of [
      [gone, []],
      [elsewhere, [moved]],
    ] as const)
      await pam.service.deliver(TechnicianChanged, {
        userId,
        name: 'Gone',
        email: 'gone@example.test',
        active: reaches.length > 0,
        reaches: [...reaches],
        version: 2,
      });
    expect((await vote(id, { ...gone, permissions: ['devices:read'] })).status).toBe(403);
    expect((await vote(id, ann)).body).toMatchObject({ status: 'pending', votesGiven: 1 });
    expect((await shown(id, ann)).votes).toMatchObject([{ name: 'Ann' }]);
    expect((await vote(id, ben)).body).toMatchObject({ status: 'pending', votesGiven: 2 });
  });

  it('PAM-183 are not for the editors of the rule, nor for the requester where the policy says so', async () => {
    const edited = await demanding({ votes: 1, editors: [ann?.userId ?? ''] });
    await pam.announce(acme, edited);
    expect((await vote(edited, ann)).body).toMatchObject({
      status: 403,
      code: 'separation_of_duties',
      reason: 'rule_editor',
    });
    expect((await shown(edited, ann)).mayRespond).toEqual({ approve: 'separation_of_duties', deny: true });
    const asked = await pam.service.sql<{ user_id: string }>(
      'SELECT user_id FROM approvals WHERE elevation_request_id = $1',
      [edited],
    );
    expect(asked.map((row) => row.user_id)).not.toContain(ann?.userId);
    expect((await vote(edited, ben)).body).toMatchObject({ status: 'approved', votesGiven: 1 });

    const tool = { flowType: 'ai_tool_action', requestedBy: cleo?.userId, timeoutSeconds: 60 };
    const barred = await demanding({ votes: 1, requesterBarred: true }, tool);
    expect((await vote(barred, cleo)).body).toMatchObject({ code: 'separation_of_duties', reason: 'requester' });
    expect((await deny(barred, cleo)).body).toMatchObject({ status: 'denied' });
    const own = await demanding({}, { flowType: 'tech_jit_admin', requestedBy: cleo?.userId });
    expect((await vote(own, cleo)).body).toMatchObject({ status: 403, code: 'self_approval_denied' });
  });

  it.each([
    ['signer group', 'pam_rule_id'],
    ['software policy', 'matched_policy_id'],
  ])('PAM-304 are not for who has changed the %s since', async (_, column) => {
    const [author, editor] = [pam.as(ann ?? null), pam.as(ben ?? null)];
    const target = { level: 'organization', id: acme.orgId };
    const rules = [{ name: 'x', signer: 'Acme Ltd' }];
    const draft = { name: `List ${column}`, mode: 'allowlist', target, rules };
    const list = (await author.post('/pam/software-policies').send(draft)).body.softwarePolicy.id;
    const group = (await author.post('/pam/signer-groups').send({ name: column, signers: ['Acme Ltd'] })).body;
    const matchSignerGroupId = group.signerGroup.id;
    const rule = { name: column, verdict: 'require_approval', matchSignerGroupId };
    const matched = column === 'pam_rule_id' ? (await author.post('/pam/rules').send(rule)).body.rule.id : list;
    const id = await demanding({ votes: 1, editors: [] });
    await pam.service.sql(`UPDATE elevation_requests SET ${column} = $2 WHERE id = $1`, [id, matched]);
    if (column === 'pam_rule_id')
      await editor
        .patch(`/pam/signer-groups/${matchSignerGroupId}`)
        .send({ signers: ['Other Ltd'] })
        .expect(200);
    else await editor.patch(`/pam/software-policies/${list}`).send({ name: 'Another' }).expect(200);
    expect((await vote(id, ben)).body).toMatchObject({ code: 'separation_of_duties', reason: 'rule_editor' });
    expect((await vote(id, cleo)).body).toMatchObject({ status: 'approved' });
  });

  it('PAM-182 are not asked of a voter, who may deny them until the decision; the first denial ends them', async () => {
    const id = await demanding();
    await vote(id, ann);
    await pam.announce(acme, id);
    const asked = await pam.service.sql('SELECT user_id FROM approvals WHERE elevation_request_id = $1', [id]);
    expect(asked.map((card) => card['user_id'])).not.toContain(ann?.userId);
    expect((await deny(id, ann)).body).toMatchObject({ status: 'denied', votesGiven: 1, votesRequired: 2 });
  });

  interface Demand {
    readonly votes?: number;
    readonly editors?: readonly string[];
    readonly requesterBarred?: boolean;
  }

  /** A pending request with a demand, as its submission would have fixed it. */
  async function demanding({ votes = 2, editors, requesterBarred = false }: Demand = {}, made = {}): Promise<string> {
    const id = await pam.request(acme, made);
    await pam.service.sql(
      `UPDATE elevation_requests SET votes_required = $2, barred_editors = $3, requester_barred = $4,
        pending_minutes = 60 WHERE id = $1`,
      [id, votes, editors ?? null, requesterBarred],
    );
    return id;
  }
  const vote = (id: string, who: Principal | undefined, durationMinutes = 15, at = pam) =>
    at
      .as(who ?? null)
      .post(`/pam/elevation-requests/${id}/respond`)
      .send({ decision: 'approve', durationMinutes });
  const deny = (id: string, who: Principal | undefined) =>
    pam
      .as(who ?? null)
      .post(`/pam/elevation-requests/${id}/respond`)
      .send({ decision: 'deny' });
  const shown = async (id: string, who: Principal | undefined) =>
    (await pam.as(who ?? null).get(`/pam/elevation-requests/${id}`)).body.request;
});
