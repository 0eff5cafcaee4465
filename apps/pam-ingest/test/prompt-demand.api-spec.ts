import { newId } from '@gatehouse/crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDevice, aReport, aRule, type Ingest, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

describe('the demand of a prompt', () => {
  let ingest: Ingest;
  let device: TestDevice;
  beforeAll(async () => {
    ingest = await startIngest();
    device = await aDevice(ingest);
    await ingest.sql("INSERT INTO technician_ref VALUES ($1, 'Ann', 'Ann@acme.example', true, 1)", [ann]);
    await ingest.sql(
      `INSERT INTO pam_approval_policies (org_id, partner_id, levels, default_approvals, rule_editors)
        VALUES ($1, $2, $3, 3, true)`,
      [
        device.orgId,
        device.partnerId,
        JSON.stringify([{ name: 'unsigned', unsigned: true, approvals: 2, pendingMinutes: 45 }]),
      ],
    );
    await aRule(ingest, device, { match_signer: 'Acme Corp', created_by: ann });
  });
  afterAll(() => ingest.stop());

  it.each(['CORP\\ann', 'ann', 'ANN@acme.example', 'CORP\\Ann@other.example'])(
    'PAM-186 holds what an editor granted to the user %s (QUORUM-03)',
    async (user) => {
      const held = { status: 'pending', held: 'separation_of_duties', votes: 3, barred: [ann], minutes: 15 };
      expect(await asked({ subject_username: user })).toEqual(held);
    },
  );

  it('PAM-186 grants it to others, and asks as many as the level says', async () => {
    expect(await asked({ subject_username: 'CORP\\anne' })).toMatchObject({ status: 'auto_approved', held: null });
    const unsigned = { status: 'pending', held: null, votes: 2, barred: null, minutes: 45 };
    expect(await asked({ target_executable_signer: null })).toEqual(unsigned);
  });

  it('PAM-186 holds what the editor of a signer group granted, the author for ever and others for 30 days', async () => {
    const groupId = newId();
    const { orgId, partnerId } = device;
    const [ben, cleo, dora] = ['ben', 'cleo', 'dora'].map((name) => ({ name, id: newId() }));
    for (const person of [ben, cleo, dora])
      await ingest.sql("INSERT INTO technician_ref VALUES ($1, $2, $2 || '@acme.example', true, 1)", [
        person?.id,
        person?.name,
      ]);
    await ingest.sql(
      `INSERT INTO signer_groups (id, partner_id, org_id, name, signers, created_by)
        VALUES ($1, $2, $3, 'G', '{Grouped}', $4)`,
      [groupId, partnerId, orgId, ben?.id],
    );
    await ingest.sql(
      `INSERT INTO rulebook_parts (kind, id, partner_id, org_id, value, edited_by, valid_from)
       VALUES ('signer_group', $1, $2, $3, '{}', $4, now() - interval '29 days'),
         ('signer_group', $1, $2, $3, '{}', $5, now() - interval '31 days')`,
      [groupId, partnerId, orgId, cleo?.id, dora?.id],
    );
    await aRule(ingest, device, { match_signer_group_id: groupId });
    const outcomes: unknown[] = [];
    for (const user of ['ben', 'cleo', 'dora'])
      outcomes.push((await asked({ subject_username: user, target_executable_signer: 'Grouped' }))?.['status']);
    expect(outcomes).toEqual(['pending', 'pending', 'auto_approved']);
  });

  it('PAM-185 demands what the strictest level does when no rulebook can be evaluated', async () => {
    const broken = await aDevice(ingest);
    await ingest.sql(
      `INSERT INTO pam_approval_policies (org_id, partner_id, levels, default_approvals) VALUES ($1, $2, $3, 1)`,
      [broken.orgId, broken.partnerId, JSON.stringify([{ name: 'one', approvals: 4, pendingMinutes: 5 }])],
    );
    await ingest.sql('ALTER TABLE signer_groups RENAME TO signer_groups_away');
    const { body } = await report(ingest.asAgent(broken.token), broken.id);
    await ingest.sql('ALTER TABLE signer_groups_away RENAME TO signer_groups');
    const [row] = await ingest.sql('SELECT votes_required FROM elevation_requests WHERE id = $1', [body.id]);
    expect(row).toEqual({ votes_required: 4 });
  });

  const ann = newId();

  const asked = async (body: object) => {
    const answer = await report(ingest.asAgent(device.token), device.id, aReport({ ...body }));
    const [row] = await ingest.sql(
      `SELECT status, held, votes_required AS votes, barred_editors AS barred, round(extract(epoch
        FROM pending_until - requested_at) / 60)::int AS minutes
         FROM elevation_requests WHERE id = $1`,
      [answer.body.id],
    );
    return row;
  };
});
