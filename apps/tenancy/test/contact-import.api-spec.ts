import { newId } from '@gatehouse/crypto';
import { Reader } from '@gatehouse/database';
import { anOrgAdmin, type Client, stopwatch } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Tenancy } from './tenancy.harness.ts';

let orgId: string;
let admin: Client;

const tenancy = await Tenancy.start();
const partnerId = (await tenancy.partner()).id;
afterAll(() => tenancy.stop());
beforeEach(async () => {
  orgId = (await tenancy.organization(partnerId, { name: `Org ${newId()}` })).id;
  admin = tenancy.admin(partnerId);
});

describe('previewing an import of contacts', () => {
  it('annotates each row against what exists, and writes nothing', async () => {
    const [linked, mailed, named] = (
      await commit([
        row({ name: 'Linked', externalSystem: 'crm', externalId: '7' }),
        row({ email: 'a@x.test' }),
        row({ name: 'Named' }),
      ])
    ).imported;
    const before = await stored();
    const rows = await preview([
      row({ name: 'other name', externalSystem: 'crm', externalId: '7' }),
      row({ email: 'A@X.test' }),
      row({ name: 'named' }),
      row({ name: 'new' }),
      { organizationId: newId(), name: 'x' },
      row({ email: 'a@x.test', name: 'again' }),
      row({ name: 'x', roles: ['king'] }),
      null,
    ]);
    expect(rows).toMatchObject([
      { index: 0, annotation: 'link-match', contactId: linked.contactId },
      { index: 1, annotation: 'email-match', contactId: mailed.contactId },
      { index: 2, annotation: 'name-match', contactId: named.contactId },
      { index: 3, annotation: 'create', contactId: null },
      { index: 4, annotation: 'org-not-found' },
      { index: 5, annotation: 'conflict', conflictReason: 'duplicate-row' },
      { index: 6, annotation: 'conflict', conflictReason: 'invalid-role' },
      { index: 7, annotation: 'conflict', conflictReason: 'validation_failed' },
    ]);
    expect(await stored()).toEqual(before);
  });

  it('reads no more of those who share a name or an address than that there are several', async () => {
    await tenancy.service.sql(
      `INSERT INTO contacts (id, partner_id, org_id, name, email, notes)
        SELECT gen_random_uuid(), $1, $2, 'Reception', 'desk' || n % 2 || '@x.test', repeat('n', 5000)
        FROM generate_series(1, 2000) n`,
      [partnerId, orgId],
    );
    const [{ contactId }] = (
      await commit([row({ name: 'Own', email: 'own@x.test', notes: 'kept', externalSystem: 'crm', externalId: '8' })])
    ).imported;
    const reads = jest.spyOn(Reader.prototype, 'query');
    const rows = await preview([
      row({ name: 'RECEPTION' }),
      row({ email: 'desk1@x.test' }),
      row({ email: 'own@x.test' }),
      row({ email: 'desk0@x.test', externalSystem: 'crm', externalId: '8' }),
    ]);
    const read = await Promise.all(reads.mock.results.map(({ value }) => value as Promise<object[]>));
    reads.mockRestore();
    expect(rows).toMatchObject([
      { annotation: 'conflict', conflictReason: 'ambiguous-name' },
      { annotation: 'conflict', conflictReason: 'ambiguous-email' },
      { annotation: 'email-match', contactId },
      { annotation: 'conflict', conflictReason: 'email-of-another-contact', contactId },
    ]);
    expect(JSON.stringify(read).length).toBeLessThan(20_000);
    expect((await commit([row({ name: 'reception' }), row({ email: 'desk0@x.test' })])).errors).toEqual([
      { index: 0, code: 'conflict', message: '2000 contacts of the organisation have this name.' },
      { index: 1, code: 'conflict', message: '1000 contacts of the organisation have this e-mail address.' },
    ]);
  });

  it('answers the same for a foreign organisation as for a missing one', async () => {
    const foreign = await tenancy.organization((await tenancy.partner()).id, { name: 'Foreign Org' });
    const rows = await preview([
      { organizationId: foreign.id, name: 'x' },
      { organizationId: newId(), name: 'x' },
      { organization: 'Foreign Org', name: 'x' },
    ]);
    expect(rows.map(({ annotation, contactId }: Record<string, unknown>) => [annotation, contactId])).toEqual([
      ['org-not-found', null],
      ['org-not-found', null],
      ['org-not-found', null],
    ]);
    expect((await commit([{ organizationId: foreign.id, name: 'x' }])).errors).toMatchObject([
      { index: 0, code: 'org-not-found' },
    ]);
  });
});

describe('committing an import of contacts', () => {
  it('answers 200 with what happened to each row, and stores the good ones', async () => {
    const good = Array.from({ length: 990 }, (_, at) => row({ name: `Person ${at}`, email: `p${at}@x.test` }));
    const bad = [
      null,
      [],
      1,
      row({}),
      row({ name: 'x', notes: 'n'.repeat(5001) }),
      row({ name: 'x', roles: ['king'] }),
      row({ email: 'nonsense' }),
      row({ name: 'x', site: 'nowhere' }),
      { name: 'x' },
      { organizationId: 'x', name: 'x' },
    ];
    const spent = stopwatch();
    const answer = await admin.post('/orgs/contacts/import').send({ rows: [...good, ...bad] });
    expect(spent()).toBeLessThan(2000);
    expect(answer.status).toBe(200);
    expect([answer.body.imported.length, answer.body.updated, answer.body.skipped, answer.body.errors.length]).toEqual([
      990,
      [],
      [],
      10,
    ]);
    expect(new Set(answer.body.errors.flatMap(Object.keys))).toEqual(new Set(['index', 'code', 'message']));
    expect(answer.body.errors.map(({ index, code }: Record<string, unknown>) => [index, code])).toEqual([
      [990, 'validation_failed'],
      [991, 'validation_failed'],
      [992, 'validation_failed'],
      [993, 'no-identifier'],
      [994, 'validation_failed'],
      [995, 'invalid-role'],
      [996, 'validation_failed'],
      [997, 'site-not-in-org'],
      [998, 'org-not-found'],
      [999, 'validation_failed'],
    ]);
    expect(await stored()).toHaveLength(990);
    expect((await tenancy.service.audits('contact.import')).at(-1)).toMatchObject({
      orgId,
      details: { imported: 990, updated: 0 },
    });
  });

  it.each([
    ['NUL', { name: 'a\0b' }],
    ['half a character', { name: 'x', title: '\ud800' }],
    ['NUL in a list', { name: 'x', roles: ['\0'] }],
    ['NUL in the name of its organisation', { name: 'x', organizationId: undefined, organization: '\0' }],
    ['NUL in what the preview added', { name: 'x', expectedContactId: '\0' }],
  ])('reports a row with %s by its index, and stores the others', async (_, bad) => {
    const rows = [row({ name: 'First' }), row(bad), row({ name: 'Last' })];
    expect((await preview(rows)).map(annotationOf)).toEqual(['create', 'conflict', 'create']);
    const { imported, errors } = await commit(rows);
    expect([imported.length, errors]).toMatchObject([2, [{ index: 1, code: 'validation_failed' }]]);
    expect((await stored()).map(({ name }) => name)).toEqual(['First', 'Last']);
  });

  it('takes a blank id or source system for none, so that rows without an id do not collide', async () => {
    const blank = ['', ' ', '\u00a0'].flatMap((none, at) => [
      row({ name: `A${at}`, externalSystem: 'crm', externalId: none }),
      row({ name: `B${at}`, externalSystem: 'crm', externalId: none }),
      row({ name: `C${at}`, externalSystem: none, externalId: '7' }),
    ]);
    expect((await preview(blank)).map(annotationOf)).toEqual(blank.map(() => 'create'));
    expect((await commit(blank)).imported).toHaveLength(blank.length);
    const ids = await tenancy.service.sql(
      'SELECT DISTINCT external_system, external_id FROM contacts WHERE org_id = $1 ORDER BY 1',
      [orgId],
    );
    expect(ids).toEqual([
      { external_system: 'crm', external_id: null },
      { external_system: null, external_id: '7' },
    ]);
  });

  it('refuses more than 1000 rows, none, and what is no list', async () => {
    const rows = Array.from({ length: 1001 }, () => row({ name: 'x' }));
    expect((await admin.post('/orgs/contacts/import').send({ rows })).body).toMatchObject({
      status: 400,
      code: 'too_many_rows',
      limit: 1000,
    });
    expect((await admin.post('/orgs/contacts/import').send({ rows: [] })).status).toBe(400);
    expect((await admin.post('/orgs/contacts/import').send({ rows: {} })).status).toBe(400);
    expect(await stored()).toEqual([]);
  });

  it('needs the permission and a second factor', async () => {
    for (const path of ['/orgs/contacts/import', '/orgs/contacts/import/preview']) {
      expect((await tenancy.admin(partnerId, { mfa: false }).post(path).send({ rows: [] })).body).toMatchObject({
        status: 403,
        code: 'mfa_required',
      });
      expect(
        (
          await tenancy
            .admin(partnerId, { permissions: ['organizations:read'] })
            .post(path)
            .send({ rows: [] })
        ).body,
      ).toMatchObject({ status: 403, code: 'permission_denied' });
    }
  });

  it('makes no duplicates when it is repeated, one after another or at once', async () => {
    const rows = [row({ name: 'A', email: 'a@x.test' }), row({ name: 'B', externalSystem: 'crm', externalId: '1' })];
    const outcomes = await Promise.all([commit(rows), commit(rows), commit(rows)]);
    expect(outcomes.map(({ imported }) => imported.length).sort()).toEqual([0, 0, 2]);
    expect((await commit(rows)).skipped).toMatchObject([
      { index: 0, reason: 'exists' },
      { index: 1, reason: 'exists' },
    ]);
    expect(await stored()).toHaveLength(2);
  });

  it('updates in update mode the members that the row has, and keeps the others', async () => {
    const [{ contactId }] = (await commit([row({ name: 'A', email: 'a@x.test', phone: '1' })])).imported;
    expect(
      await commit([row({ email: 'a@x.test', name: 'Anna', externalSystem: 'crm', externalId: '9' })], 'update'),
    ).toMatchObject({ updated: [{ index: 0, organizationId: orgId, contactId }], errors: [] });
    expect(await stored()).toEqual([{ id: contactId, name: 'Anna', email: 'a@x.test', phone: '1', external_id: '9' }]);
    const blank = { name: 'Anna', title: ' ', notes: '', mobile: '' };
    expect((await commit([row({ email: 'a@x.test', ...blank })], 'update')).skipped).toMatchObject([
      { contactId, reason: 'unchanged' },
    ]);
  });

  describe('with primary contacts', () => {
    it('TEN-90 makes the last one of each place primary, and demotes the one before', async () => {
      const { id: site } = await tenancy.site(partnerId, orgId);
      await commit([row({ name: 'Before', isPrimary: true }), row({ name: 'There', site, isPrimary: true })]);
      expect(await primaries()).toEqual([
        { name: 'Before', site_id: null },
        { name: 'There', site_id: site },
      ]);
      const rows = ['One', 'Two', 'Three'].map((name) => row({ name, isPrimary: true }));
      const outcome = await commit([...rows, row({ name: 'Four', isPrimary: false }), row({ name: 'Five' })]);
      expect([outcome.imported.length, outcome.errors]).toEqual([5, []]);
      expect(await primaries()).toEqual([
        { name: 'Three', site_id: null },
        { name: 'There', site_id: site },
      ]);
    });

    it('TEN-90 changes it in update mode alone, and keeps it where a row does not say', async () => {
      await commit([row({ email: 'a@x.test', name: 'A', isPrimary: true }), row({ email: 'b@x.test', name: 'B' })]);
      const primaryB = row({ email: 'b@x.test', isPrimary: true });
      expect((await commit([primaryB])).skipped).toMatchObject([{ reason: 'exists' }]);
      expect(await primaries()).toEqual([{ name: 'A', site_id: null }]);
      expect((await commit([row({ email: 'a@x.test', phone: '1' })], 'update')).updated).toHaveLength(1);
      expect(await primaries()).toEqual([{ name: 'A', site_id: null }]);
      expect((await commit([row({ email: 'a@x.test', phone: '2' }), primaryB], 'update')).updated).toHaveLength(2);
      expect(await primaries()).toEqual([{ name: 'B', site_id: null }]);
      expect((await commit([row({ name: 'C', isPrimary: true }), primaryB], 'update')).skipped).toHaveLength(1);
      expect(await primaries()).toEqual([{ name: 'B', site_id: null }]);
      await commit([row({ email: 'b@x.test', isPrimary: false })], 'update');
      expect(await primaries()).toEqual([]);
    });

    it('TEN-90 moves a primary contact to another site as an ordinary one, unless the row says otherwise', async () => {
      const { id: site } = await tenancy.site(partnerId, orgId);
      await commit([row({ email: 'a@x.test', name: 'A', isPrimary: true }), row({ name: 'S', site, isPrimary: true })]);
      await commit([row({ email: 'a@x.test', site })], 'update');
      expect(await primaries()).toEqual([{ name: 'S', site_id: site }]);
      await commit([row({ email: 'a@x.test', site, isPrimary: true })], 'update');
      expect(await primaries()).toEqual([{ name: 'A', site_id: site }]);
    });

    const primaries = () =>
      tenancy.service.sql(
        'SELECT name, site_id FROM contacts WHERE org_id = $1 AND is_primary ORDER BY site_id NULLS FIRST',
        [orgId],
      );
  });

  it('acts only on the outcome of the preview', async () => {
    const rows = [row({ name: 'A', email: 'a@x.test' }), row({ name: 'Same Name' })];
    const [first] = await preview(rows);
    await commit(rows);
    const echo = { expectedAnnotation: first.annotation, expectedContactId: first.contactId };
    expect((await commit([{ ...rows[0], ...echo }])).errors).toMatchObject([{ index: 0, code: 'annotation-changed' }]);
    expect(
      (await commit([{ ...rows[0], expectedAnnotation: 'email-match', expectedContactId: newId() }])).errors,
    ).toMatchObject([{ index: 0, code: 'match-changed' }]);
    expect((await commit([row({ name: 'same name', phone: '5' })], 'update')).errors).toMatchObject([
      { index: 0, code: 'match-unconfirmed' },
    ]);
    const [seen] = await preview([row({ name: 'same name', phone: '5' })]);
    const confirmed = { ...seen, expectedAnnotation: seen.annotation, expectedContactId: seen.contactId };
    expect((await commit([confirmed], 'update')).updated).toMatchObject([{ contactId: seen.contactId }]);
  });

  it('keeps values that look like formulas as they are', async () => {
    const names = ['=1+1', '+1', '-1', '@x', '\t2', '\r3', '1'];
    await commit(names.map((name) => row({ name })));
    expect((await stored()).map(({ name }) => name).sort()).toEqual(names.map((name) => name.trim()).sort());
    expect((await preview([row({ name: ' @X ' }), row({ name: '\t2' })])).map(annotationOf)).toEqual([
      'name-match',
      'name-match',
    ]);
  });

  it.each([
    ['ΔΗΜΟΣ ΡΟΔΟΥ', 'Δημος Ροδου'],
    ['İlker Şahin', 'i\u0307lker şahin'],
    ['Zoe\u0308 Berg', 'zoë  berg'],
    ['Anna Berg', '\u00a0ANNA\u00a0BERG '],
    ['\u212Aelvin', 'kelvin'],
  ])('TEN-100 finds organisation, site and contact %j by %j', async (kept, sent) => {
    const unique = newId().slice(-12);
    orgId = (await tenancy.organization(partnerId, { name: `${kept} ${unique}` })).id;
    await tenancy.site(partnerId, orgId, { name: kept });
    await commit([row({ name: kept })]);
    const rows = await preview([{ organization: `${sent} ${unique}`, site: sent, name: sent }]);
    expect(rows).toMatchObject([{ annotation: 'name-match' }]);
    const found = await admin.get(`/orgs/organizations?search=${encodeURIComponent(`${sent} ${unique}`)}`);
    expect(found.body.data ?? found.body).toMatchObject([{ id: orgId }]);
  });

  it('TEN-104 is a conflict that names both where two sites, or two organisations, have the name of a row', async () => {
    const sites = [
      await tenancy.site(partnerId, orgId, { name: 'Headquarters' }),
      await tenancy.site(partnerId, orgId, { name: 'HEADQUARTERS' }),
    ];
    const name = `Twin ${newId()}`;
    const twins = [
      await tenancy.organization(partnerId, { name }),
      await tenancy.organization(partnerId, { name: name.toUpperCase() }),
    ];
    const rows = [row({ name: 'a', site: 'headquarters' }), { organization: name, name: 'b' }];
    const [bySite, byOrganization] = await preview(rows);
    expect([bySite.annotation, byOrganization.annotation]).toEqual(['conflict', 'conflict']);
    const { errors } = await commit(rows);
    expect(errors).toMatchObject([
      { index: 0, code: 'conflict', message: expect.stringContaining('two sites have this name') },
      { index: 1, code: 'conflict', message: expect.stringContaining('two organizations have this name') },
    ]);
    for (const { id } of sites)
      expect([bySite.conflictReason, errors[0].message]).toEqual(Array(2).fill(expect.stringContaining(id)));
    for (const { id } of twins) expect(errors[1].message).toContain(id);
  });

  it('takes organisation and site by name', async () => {
    const { name } = (await admin.get(`/orgs/organizations/${orgId}`)).body;
    const site = await tenancy.site(partnerId, orgId, { name: 'Branch' });
    const [{ contactId }] = (await commit([{ organization: name.toUpperCase(), site: 'branch', name: 'x' }])).imported;
    expect(await tenancy.service.sql('SELECT org_id, site_id FROM contacts WHERE id = $1', [contactId])).toEqual([
      { org_id: orgId, site_id: site.id },
    ]);
  });
});

describe('importing contacts with access to some sites', () => {
  let mine: string;
  let other: string;
  beforeEach(async () => {
    [mine, other] = [(await tenancy.site(partnerId, orgId)).id, (await tenancy.site(partnerId, orgId)).id];
    await commit([
      row({ site: other, name: 'Hidden', email: 'hidden@x.test', externalSystem: 'crm', externalId: '2' }),
    ]);
  });

  it.each([{ email: 'boss@x.test' }, { externalSystem: 'crm', externalId: '1' }])(
    'leaves contacts of the whole organisation alone: matched by %j',
    async (identity) => {
      await commit([row({ name: 'Boss', email: 'boss@x.test', externalSystem: 'crm', externalId: '1' })]);
      await tenancy.service.sql(`UPDATE contacts SET is_primary = true WHERE org_id = $1 AND name = 'Boss'`, [orgId]);
      const before = await everything();
      const { status, body } = await send('/orgs/contacts/import', [{ name: 'x', phone: '5', ...identity }], 'update');
      expect([status, body]).toEqual([
        200,
        {
          imported: [],
          updated: [],
          skipped: [],
          errors: [{ index: 0, code: 'site_access_denied', message: expect.any(String) }],
        },
      ]);
      expect(await everything()).toEqual(before);
    },
  );

  it('refuses the row whose external id a contact of another site has, reveals nothing of that contact, and stores the valid rows', async () => {
    const rows = [{ name: 'Good' }, { name: 'x', externalSystem: 'crm', externalId: '2' }];
    const [, previewed] = (await send('/orgs/contacts/import/preview', rows)).body.rows;
    expect(previewed).toMatchObject({ annotation: 'conflict', contactId: null, conflictReason: 'site_access_denied' });
    const { status, body } = await send('/orgs/contacts/import', rows, 'update');
    expect([status, body]).toMatchObject([
      200,
      { imported: [{ index: 0 }], updated: [], errors: [{ index: 1, code: 'site_access_denied' }] },
    ]);
    expect((await stored()).map(({ name }) => name)).toEqual(['Good', 'Hidden']);
  });

  it('knows no contact of another site by name or address, as the other routes do not', async () => {
    const { id } = await create({ siteId: mine, name: 'Mine', email: 'mine@x.test' });
    const { body } = await send(
      '/orgs/contacts/import',
      [{ name: 'hidden' }, { email: 'hidden@x.test' }, { email: 'mine@x.test', phone: '5' }],
      'update',
    );
    expect(body).toMatchObject({
      imported: [{ index: 0 }, { index: 1 }],
      updated: [{ index: 2, contactId: id }],
      errors: [],
    });
  });

  const everything = () => tenancy.service.sql('SELECT * FROM contacts WHERE org_id = $1 ORDER BY id', [orgId]);
  const create = async (fields: object): Promise<{ id: string }> =>
    (await admin.post(`/orgs/organizations/${orgId}/contacts`).send(fields)).body.data;
  const send = (path: string, rows: object[], mode?: string) =>
    tenancy
      .as(anOrgAdmin(partnerId, orgId, { sites: [mine] }))
      .post(path)
      .send({ rows: rows.map((fields) => row({ site: mine, ...fields })), mode });
});

const row = (fields: object): object => ({ organizationId: orgId, ...fields });
const preview = async (rows: unknown[]) => (await admin.post('/orgs/contacts/import/preview').send({ rows })).body.rows;
const commit = async (rows: unknown[], mode?: string) =>
  (await admin.post('/orgs/contacts/import').send({ rows, mode })).body;
const annotationOf = ({ annotation }: { annotation: string }): string => annotation;
const stored = () =>
  tenancy.service.sql('SELECT id, name, email, phone, external_id FROM contacts WHERE org_id = $1 ORDER BY name', [
    orgId,
  ]);
