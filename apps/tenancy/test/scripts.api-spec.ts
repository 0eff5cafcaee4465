import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, created, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let orgId: string;
let admin: Client;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  orgId = (await tenancy.organization(partnerId)).id;
  admin = tenancy.admin(partnerId);
});

describe('scripts', () => {
  it('serve every organisation as one copy, or one organisation', async () => {
    const shared = created<{ data: { id: string } }>(
      await admin.post('/scripts').send(
        script({
          exitCodeSeverityMapping: { 1: 'warning', '-5': 'critical' },
          parameters: [{ name: 'PATH', required: true }],
        }),
      ),
    ).data;
    expect(shared).toMatchObject({
      partnerId,
      availability: 'partner',
      orgId: null,
      runAs: 'system',
      language: 'powershell',
      exitCodeSeverityMapping: { 1: 'warning', '-5': 'critical' },
      parameters: [{ name: 'PATH', required: true }],
    });
    const own = created<{ data: { id: string } }>(
      await admin
        .post('/scripts')
        .send(script({ availability: 'organization', orgId, runAs: 'user', category: 'care' })),
    ).data;
    const orgAdmin = tenancy.as(anOrgAdmin(partnerId, orgId));
    expect((await orgAdmin.get('/scripts')).body.pagination.total).toBe(2);
    expect((await orgAdmin.get('/scripts?category=care')).body.data).toMatchObject([{ id: own.id, partnerId }]);
    expect((await orgAdmin.patch(`/scripts/${own.id}`).send({ parameters: [] })).body.data).toMatchObject({
      parameters: [],
    });
    expect((await orgAdmin.patch(`/scripts/${shared.id}`).send({ name: 'x' })).body).toMatchObject({
      status: 403,
      code: 'scope_denied',
    });
    expect((await tenancy.admin((await tenancy.partner()).id).get(`/scripts/${shared.id}`)).body).toMatchObject({
      status: 404,
      code: 'script_not_found',
    });
    expect((await admin.delete(`/scripts/${own.id}`)).body).toEqual({ success: true });
  });

  it.each([
    [{ exitCodeSeverityMapping: { 0: 'low' } }],
    [{ exitCodeSeverityMapping: { x: 'low' } }],
    [{ exitCodeSeverityMapping: { toString: 'low' } }],
    [{ exitCodeSeverityMapping: { 1: 'fatal' } }],
    [{ runAs: 'root' }],
    [{ availability: 'world' }],
    [{ parameters: [{ name: 'a b' }] }],
  ])('refuse %j', async (fields) => {
    expect((await admin.post('/scripts').send(script(fields))).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  it('are imported once by name for each owner, faulty ones answered by index', async () => {
    const scripts = [
      script(),
      script({ availability: 'organization', orgId }),
      script({ name: 'Bad', exitCodeSeverityMapping: { 0: 'low' } }),
      script({ name: 'Nobody', availability: 'organization' }),
    ];
    const first = (await admin.post('/scripts/import').send({ scripts })).body;
    expect([
      first.imported.map(({ index }: { index: number }) => index),
      first.skipped,
      first.errors.map(({ index, code }: Record<string, unknown>) => [index, code]),
    ]).toEqual([
      [0, 1],
      [],
      [
        [2, 'validation_failed'],
        [3, 'org_required'],
      ],
    ]);
    expect(first.errors[0].message).toContain('exitCodeSeverityMapping.0 must be');
    const second = (await admin.post('/scripts/import').send({ scripts: scripts.slice(0, 2) })).body;
    const known = [0, 1].map((index) => ({ index, reason: 'exists' }));
    expect(second).toMatchObject({ imported: [], skipped: known });
    const audited = (await tenancy.service.audits('script.import')).filter((audit) => audit.partnerId === partnerId);
    expect(audited).toMatchObject([
      { orgId: null, details: { names: ['Clean up'] } },
      { orgId, details: { names: ['Clean up'] } },
    ]);
  });

  it('hold as many characters of any alphabet as they may have', async () => {
    const { body } = await admin.post('/scripts').send(script({ content: 'я'.repeat(65_536) }));
    expect(body.data).toMatchObject({ name: 'Clean up' });
  });

  it('are imported together where they are longer than the body of another request', async () => {
    const scripts = ['One', 'Two'].map((name) => script({ name, content: 'x'.repeat(65_536) }));
    const { body } = await admin.post('/scripts/import').send({ scripts });
    expect(body).toMatchObject({ imported: [{ index: 0 }, { index: 1 }], errors: [] });
  });
});

const script = (fields: object = {}): object => ({
  name: 'Clean up',
  content: 'Remove-Item',
  availability: 'partner',
  ...fields,
});
