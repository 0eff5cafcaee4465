import {
  asService,
  type Caller,
  type Principal,
  ProblemError,
  Text,
  type UserCaller,
  Uuid,
  UuidList,
} from '@gatehouse/contracts-core';
import { CurrentCaller, IDENTITY_HEADER, Public, Requires } from '@gatehouse/auth';
import { type DatabaseDefinition, shownOnce, tenantPolicy, type Tx, UnitOfWork } from '@gatehouse/database';
import { aPartnerAdmin, aPrincipal, FaultProxy, TestService, until } from '../src/index.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Injectable, Module, Param, Post, Query } from '@nestjs/common';
import { IsString } from 'class-validator';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partsReader, Service, ServiceConfig, type ServiceDefinition, UuidParam } from '@gatehouse/service';

describe('a service on the platform', () => {
  let service: TestService<NotesConfig>;
  beforeAll(async () => {
    service = await TestService.start(notes);
  });
  afterAll(() => service.stop());

  it("answers 401 without the gateway's word, whatever else a request says of its sender (TOK-01, TOK-16)", async () => {
    const claimed = {
      'x-user-id': randomUUID(),
      'x-org-id': ORG,
      'x-scope': 'system',
      'x-internal-identity': 'admin',
      authorization: 'Bearer x',
    };
    expect((await service.bare().get('/notes').set(claimed)).body).toMatchObject({
      code: 'not_authenticated',
      status: 401,
    });
    const { privateKey } = await generateKeyPair('ES256');
    const said = { principal: aPrincipal(), ip: null, service: null };
    const stranger = new SignJWT(said)
      .setProtectedHeader({ alg: 'ES256', typ: 'gatehouse-internal+jwt', kid: 'test' })
      .setIssuer('gatehouse-gateway')
      .setAudience('notes')
      .setExpirationTime('1m');
    const forged = [
      new UnsecuredJWT(said).setIssuer('gatehouse-gateway').setAudience('notes').setExpirationTime('1m').encode(),
      await stranger.sign(privateKey),
      'x',
    ];
    for (const word of forged)
      expect((await service.bare().get('/notes').set(IDENTITY_HEADER, word)).body).toMatchObject({
        code: 'token_invalid',
        status: 401,
      });
  });

  it('answers 403 mfa_required without a second factor, recorded as denied', async () => {
    const refused = await service
      .as(aPartnerAdmin(partnerId, { mfa: false }))
      .post('/notes')
      .send({ text: 'x' });
    expect(refused.status).toBe(403);
    expect(refused.headers['content-type']).toContain('application/problem+json');
    expect(refused.body).toMatchObject({
      code: 'mfa_required',
      type: expect.any(String),
      requestId: expect.any(String),
    });
    expect(await service.audits('site.create')).toMatchObject([
      { result: 'denied', partnerId, details: { code: 'mfa_required' } },
    ]);
  });

  it('ATK-28: records a privileged act that the state of things forbids as a failure, once, and neither a 400 nor a 404', async () => {
    const before = (await service.audits('site.create')).length;
    const client = service.as(aPartnerAdmin(partnerId));
    const send = async (text: string): Promise<number> =>
      (await client.post('/notes').set('Idempotency-Key', `thwarted-${text}`).send({ text })).status;
    expect([await send('conflict'), await send('nowhere'), await send('much too long a text')]).toEqual([
      409, 404, 400,
    ]);
    expect((await service.audits('site.create')).slice(before)).toMatchObject([
      { result: 'failure', partnerId, details: { code: 'conflict' }, actor: { type: 'user' }, ip: service.ip },
    ]);
  });

  it('commits a change with exactly one audit entry, and none without its change', async () => {
    const client = service.as(aPartnerAdmin(partnerId));
    const before = (await service.audits('site.create')).length;
    expect((await client.post('/notes').send({ text: 'one' })).status).toBe(201);
    expect((await client.post('/notes').send({ text: 'rollback' })).status).toBe(500);
    const audits = await service.audits('site.create');
    expect(audits.length).toBe(before + 1);
    expect(audits.at(-1)).toMatchObject({ result: 'success', actor: { type: 'user' }, ip: service.ip });
  });

  it('AUD-08: takes back a change whose audit entry cannot be stored', async () => {
    const role = new URL(service.database?.appUrl ?? '').username;
    await service.sql(`REVOKE INSERT ON outbox FROM ${role}`);
    const answer = await service.as(aPartnerAdmin(partnerId)).post('/notes').send({ text: 'unaudited' });
    await service.sql(`GRANT INSERT ON outbox TO ${role}`);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(await service.sql('SELECT FROM notes WHERE text = $1', ['unaudited'])).toEqual([]);
    expect((await service.as(aPartnerAdmin(partnerId)).post('/notes').send({ text: 'unaudited' })).status).toBe(201);
  });

  it('shows each partner its own rows only, and an anonymous caller none', async () => {
    await service.as(aPartnerAdmin(otherPartnerId)).post('/notes').send({ text: 'other' });
    const seen = await service.as(aPartnerAdmin(partnerId)).get('/notes');
    expect(new Set(seen.body.map((note: { partnerId: string }) => note.partnerId))).toEqual(new Set([partnerId]));
    expect((await service.as(null).get('/notes')).body).toEqual([]);
    expect((await service.as(aPartnerAdmin(partnerId, { orgs: [] })).get('/notes')).body).toEqual([]);
    expect((await service.as(aPrincipal()).get('/notes')).body.length).toBeGreaterThan(1);
  });

  it('gives a repeated request the first result, and refuses the key with another body or address', async () => {
    const client = service.as(aPartnerAdmin(partnerId));
    const add = (text: string, at = '/notes') => client.post(at).set('Idempotency-Key', 'key-1').send({ text });
    const [first, second] = [await add('again'), await add('again')];
    expect(second.body).toEqual(first.body);
    for (const other of [await add('different'), await add('again', '/notes/present')]) expect(other.status).toBe(422);
    expect(await service.sql('SELECT FROM notes WHERE text = $1', ['again'])).toHaveLength(1);
  });

  it('IDY-121 answers a repetition from the present state where the first answer may not be given again', async () => {
    const client = service.as(aPartnerAdmin(partnerId));
    const add = () => client.post('/notes/present').set('Idempotency-Key', 'now').send({ text: 'before' });
    const { body } = await add();
    await service.sql('UPDATE notes SET text = $2 WHERE id = $1', [body.id, 'after']);
    expect((await add()).body).toEqual({ id: body.id, text: 'after' });
    await service.sql('DELETE FROM notes WHERE id = $1', [body.id]);
    expect((await add()).body).toMatchObject({ code: 'site_not_found' });
    expect(await service.sql('SELECT FROM notes WHERE text = $1', ['before'])).toHaveLength(0);
  });

  it('IDY-122 stores no secret for a repetition, which is told the id of what was made', async () => {
    const client = service.as(aPartnerAdmin(partnerId));
    const add = (text: string) => client.post('/notes/secret').set('Idempotency-Key', text).send({ text });
    const [first, again] = [await add('secret'), await add('secret')];
    expect(first.body).toEqual({ made: { id: expect.any(String), secret: 'told once' } });
    expect(again.body).toMatchObject({ status: 409, code: 'idempotency_secret_shown', id: first.body.made.id });
    expect(again.text).not.toContain('told once');
    const refused = [await add('refused'), await add('refused')];
    expect(refused.map(({ body }) => body)).toEqual([{ made: null }, { made: null }]);
    expect(await service.sql("SELECT FROM notes WHERE text IN ('secret', 'refused')")).toHaveLength(2);
  });

  it('ATK-101 IDY-120 keeps the keys of a person apart by membership, provider and API key', async () => {
    const person = aPartnerAdmin(partnerId);
    const callers = [
      person,
      { ...person, membershipId: randomUUID() },
      { ...person, confined: true, providerId: randomUUID() },
      { ...person, confined: true, providerId: randomUUID() },
      { ...person, kind: 'api_key' as const, id: randomUUID(), confined: true, mfa: true },
    ];
    const add = async (caller: Principal) =>
      (await service.as(caller).post('/notes').set('Idempotency-Key', 'apart').send({ text: 'apart' })).body.id;
    const [first, again] = [await Promise.all(callers.map(add)), await Promise.all(callers.map(add))];
    expect(new Set(first).size).toBe(callers.length);
    expect(again).toEqual(first);
  });

  it('runs twenty parallel requests of one key once', async () => {
    const client = service.as(aPartnerAdmin(partnerId));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.post('/notes').set('Idempotency-Key', 'key-2').send({ text: 'parallel' }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await service.sql('SELECT FROM notes WHERE text = $1', ['parallel'])).toHaveLength(1);
  });

  it.each([
    ['{"text":"a', 400, 'validation_failed'],
    ['{"text":"01234567890"}', 400, 'validation_failed'],
    ['{"text":"a\\u0000"}', 400, 'validation_failed'],
    ['{"text":"a","__proto__":{"x":1}}', 400, 'validation_failed'],
    ['[1]', 400, 'validation_failed'],
    [`${'['.repeat(50_000)}`, 400, 'validation_failed'],
    [JSON.stringify({ text: 'x'.repeat(200_000) }), 413, 'payload_too_large'],
  ])('answers the bad body %# with its problem', async (body, status, code) => {
    const answer = await service
      .as(aPartnerAdmin(partnerId))
      .post('/notes')
      .set('content-type', 'application/json')
      .send(body);
    expect(answer.body).toMatchObject({ status, code });
  });

  it('hands ids to its operations in lower case, as it makes and keeps them', async () => {
    const id = '01900000-0000-7000-8000-0000000000AB';
    const { body } = await service
      .as(null)
      .post(`/notes/${id}/ids?orgId=${id}&siteIds=${id}&siteIds=${id}`)
      .send({ orgId: id, siteIds: [id] });
    const kept = id.toLowerCase();
    expect(body).toEqual({
      id: kept,
      query: { orgId: kept, siteIds: [kept, kept] },
      body: { orgId: kept, siteIds: [kept] },
    });
    expect((await service.as(null).post('/notes/A/ids').send({})).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ path: 'noteId' }],
    });
  });

  it('answers an unknown address and an unknown verb with the same form', async () => {
    const client = service.as(aPartnerAdmin(partnerId));
    expect((await client.get('/nothing-here')).body).toMatchObject({ status: 404, code: 'route_not_found' });
    expect((await client.delete('/notes')).body).toMatchObject({ status: 404, code: 'route_not_found' });
  });

  it("R-60: writes the client's own request id beside ours into audit and problem, from the gateway's header only", async () => {
    const client = service.as(aPartnerAdmin(partnerId));
    const ids = { 'x-request-id': randomUUID(), 'x-client-request-id': 'order-7' };
    const problem = (await client.get('/nothing-here').set(ids)).body;
    expect(problem).toMatchObject({ requestId: ids['x-request-id'], clientRequestId: 'order-7' });
    await client.post('/notes').set(ids).send({ text: 'order' });
    expect((await service.audits('site.create')).at(-1)).toMatchObject({
      requestId: ids['x-request-id'],
      clientRequestId: 'order-7',
    });
    expect((await client.get('/nothing-here').set('x-client-request-id', 'a b')).body).not.toHaveProperty(
      'clientRequestId',
    );
  });

  it.each(['/notes/%zz/ids', `/notes/${'a'.repeat(500)}/ids`])(
    'ATK-25b: answers %#, which its router refuses, with the same form',
    async (path) => {
      const answer = await service.bare().post(path);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'x-request-id': answer.body.requestId,
      });
      expect(answer.body).toMatchObject({ status: 400, code: 'validation_failed', issues: [{ path: '' }] });
      expect(JSON.stringify(answer.body)).not.toMatch(/FST|fastify/i);
    },
  );

  it('ATK-09k: refuses members and parameters that a route does not have, and takes a list more than once', async () => {
    const client = service.as(null);
    const path = `/notes/${ORG}/ids`;
    expect(
      (
        await client
          .post(`${path}?orgid=${ORG}&orgId=${ORG}&orgId=${ORG}&siteIds=${ORG}&siteIds=${ORG}`)
          .send({ siteids: [] })
      ).body,
    ).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [
        { path: 'orgid', message: 'is not known; did you mean "orgId"?' },
        { path: 'orgId', message: 'must be given once' },
        { path: 'siteids' },
      ],
    });
    expect((await service.as(aPartnerAdmin(partnerId)).get('/notes?text=x')).body).toMatchObject({
      status: 400,
      issues: [{ path: 'text', message: 'is not known' }],
    });
  });

  it.each([
    ['a body that is not JSON', { 'content-type': 'application/json' }, '{"text":', 400],
    ['a body of another type', { 'content-type': 'text/plain' }, '{"text":"a"}', 415],
    ['JSON that is not UTF-8', { 'content-type': 'application/json; charset=utf-16' }, '{"text":"a"}', 415],
    ['a key with a blank', { 'Idempotency-Key': 'a b' }, undefined, 400],
  ])('says that it does not take %s, but only to those who may call', async (...[, headers, body, status]) => {
    const outsiders = [service.bare(), service.as(aPartnerAdmin(partnerId, { permissions: ['sites:read'] }))];
    const clients = [...outsiders, service.as(aPartnerAdmin(partnerId))];
    const answers = await Promise.all(clients.map((client) => client.post('/notes').set(headers).send(body)));
    expect(answers.map((answer) => answer.status)).toEqual([401, 403, status]);
  });

  describe('in a transaction', () => {
    it('keeps nothing of a single statement that fails, and lets no other follow', async () => {
      const { work } = service.service.app.get(AddNote);
      expect(
        await work.autocommit(caller, (statement) => statement.one(insert, [partnerId, ORG, 'single'])),
      ).toMatchObject({ id: expect.any(String) });
      expect(await written('single')).toHaveLength(1);
      await expect(
        work.autocommit(caller, (statement) => statement.one(`${insert}, 1 / 0`, [partnerId, ORG, 'failed'])),
      ).rejects.toThrow('division by zero');
      await expect(
        work.autocommit(caller, async (statement) => [
          await statement.one('SELECT 1'),
          await statement.one(insert, [partnerId, ORG, 'second']),
        ]),
      ).rejects.toThrow('its one statement');
      expect([await written('failed'), await written('second')]).toEqual([[], []]);
    });

    it('never takes for a commit what the server rolled back: a failure passed over, or an outbox that cannot be written', async () => {
      const { work } = service.service.app.get(AddNote);
      await expect(
        work.background(caller, async (tx) => [
          await tx.one(insert, [partnerId, ORG, 'silenced']),
          await tx.one('SELECT 1 / 0').catch(() => null),
        ]),
      ).rejects.toThrow('rolled back');
      await service.sql('ALTER TABLE outbox ADD CONSTRAINT outbox_is_shut CHECK (false) NOT VALID');
      await expect(
        work.background(caller, async (tx) => {
          await tx.one(insert, [partnerId, ORG, 'unsaid']);
          tx.audit({ action: 'site.create', resource: { type: 'note', id: null } });
        }),
      ).rejects.toThrow('outbox_is_shut');
      await service.sql('ALTER TABLE outbox DROP CONSTRAINT outbox_is_shut');
      expect([await written('silenced'), await written('unsaid')]).toEqual([[], []]);
      expect(await work.backgroundRead(caller, (reader) => reader.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    });

    it('answers statements that are sent together each with its own rows, and in their order', async () => {
      const { work } = service.service.app.get(AddNote);
      const answers = await work.backgroundRead(caller, (reader) =>
        Promise.all([1, 2, 3].map((number) => reader.one('SELECT $1::int AS number', [number]))),
      );
      expect(answers).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
    });

    const caller = asService('notes');
    const insert = 'INSERT INTO notes (partner_id, org_id, text) VALUES ($1, $2, $3) RETURNING id';
    const written = (text: string): Promise<object[]> => service.sql('SELECT FROM notes WHERE text = $1', [text]);
  });

  it('gives no rows and no writes to the runtime role without a tenant context', async () => {
    const { requests } = service.service.platform.store ?? {};
    expect(await requests?.query('SELECT * FROM notes')).toEqual([]);
    await expect(
      requests?.query('INSERT INTO notes (partner_id, org_id, text) VALUES ($1, $2, $3)', [partnerId, ORG, 'x']),
    ).rejects.toThrow('row-level security');
  });
});

@Controller('silent')
class SilentController {
  @Get()
  open(): string {
    return 'x';
  }
}

@Module({ controllers: [SilentController] })
class SilentModule {}

describe('start-up', () => {
  it('refuses a handler that declares no access', async () => {
    await expect(TestService.start({ ...notes, module: SilentModule })).rejects.toThrow('SilentController.open');
  });

  it('refuses to serve as the owner of its tables', async () => {
    const service = await TestService.start(notes);
    const { ownerUrl } = service.database ?? { ownerUrl: '' };
    const asOwner = await Service.create(
      { ...notes, database: { definition, url: () => ownerUrl } },
      service.service.config,
      service.service.platform.log,
    );
    await expect(asOwner.start()).rejects.toThrow('owns tables');
    await asOwner.stop();
    await service.stop();
  });
});

describe('a service that has lost its database', () => {
  it('R-120 tells so to operators alone, in its readiness and its metrics, also of a silent database, and tells that it is back', async () => {
    const first = await TestService.start(notes);
    const url = first.database?.appUrl ?? '';
    const link = await FaultProxy.before(url);
    const service = await TestService.start(notes, {
      replicaOf: first,
      env: { DATABASE_URL_NOTES: link.through(url) },
    });
    const { platform } = service.service;
    const readParts = partsReader(platform);
    const read = async (name: string) => (await service.as(aPrincipal()).get(`/services/${name}`)).body;
    const isUp = async (): Promise<unknown> => [
      (await readParts()).database,
      /"part":"database","isUp":(\w+)/.exec(JSON.stringify(await read('notes')))?.[1] === 'true',
      /gatehouse_part_up\{part="database",service="notes"\} (\d)/.exec(await platform.metrics.text())?.[1],
    ];
    // On a busy machine a look at the database may be late, and read as a silent one.
    const becomesUp = (): Promise<void> => until(async () => String(await isUp()) === 'true,true,1');
    await becomesUp();
    expect(await read('notes')).toMatchObject({ service: 'notes', version: 'development', deadLetters: 0 });
    expect((await service.as(aPartnerAdmin(partnerId)).get('/services/notes')).body.code).toBe('scope_denied');
    expect((await read('pam')).code).toBe('route_not_found');
    for (const kind of ['reset', 'hold'] as const) {
      link.set({ kind });
      expect(await isUp()).toEqual([false, false, '0']);
    }
    link.set({ kind: 'pass' });
    await becomesUp();
    for (const each of [service, first, link]) await each.stop();
  });
});

describe('a caller of many organisations', () => {
  it('reaches a service with five thousand of them', async () => {
    const service = await TestService.start(notes);
    const orgs = Array.from({ length: 5_000 }, () => randomUUID());
    expect((await service.as(aPartnerAdmin(partnerId, { orgs })).get('/notes')).status).toBe(200);
    await service.stop();
  });
});

class CreateNotes1 implements MigrationInterface {
  name = 'CreateNotes1800000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE notes (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), partner_id uuid NOT NULL, org_id uuid NOT NULL, text text NOT NULL);
      ${tenantPolicy({ table: 'notes', orgColumn: 'org_id' })}`);
  }

  async down(): Promise<void> {}
}

class NotesConfig extends ServiceConfig {
  @IsString()
  databaseUrlNotes!: string;
}

class NoteDto {
  @Text({ min: 1, max: 10 }) text!: string;
}

class IdsDto {
  @Uuid({ optional: true }) orgId?: string;
  @UuidList({ maxItems: 2, optional: true }) siteIds?: string[];
}

const ORG = '01900000-0000-7000-8000-0000000000a1';

@Injectable()
class AddNote {
  constructor(readonly work: UnitOfWork) {}

  execute(caller: UserCaller, { text }: NoteDto): Promise<{ id: string }> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const row = await tx.one<{ id: string }>(
        'INSERT INTO notes (partner_id, org_id, text) VALUES ($1, $2, $3) RETURNING id',
        [caller.partnerId, ORG, text],
      );
      tx.audit({ action: 'site.create', resource: { type: 'note', id: row?.id ?? null } });
      if (text === 'rollback') throw new Error('on purpose');
      if (text === 'conflict') throw new ProblemError('conflict', 'It is there already.');
      if (text === 'nowhere') throw new ProblemError('site_not_found', 'There is no such site.');
      return { id: row?.id ?? '' };
    });
  }
}

/** Notes whose first answer may not be given again. */
@Injectable()
class AddDelicateNote {
  constructor(readonly work: UnitOfWork) {}

  /** The answer to a repetition has the text that the note has then. */
  read(caller: UserCaller, { text }: NoteDto): Promise<{ id: string; text: string }> {
    return this.work.once(caller, caller.idempotency, (tx) => this.insert(tx, caller, text), {
      keep: ({ id }) => id,
      answer: async (reader, id) => {
        const note = await reader.one<{ id: string; text: string }>('SELECT id, text FROM notes WHERE id = $1', [id]);
        if (!note) throw new ProblemError('site_not_found', 'The note is gone.');
        return note;
      },
    });
  }

  /** Refuses a text after it was noted, as an act that leaves a record does. */
  secret(caller: UserCaller, { text }: NoteDto): Promise<{ id: string; secret: string } | null> {
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const { id } = await this.insert(tx, caller, text);
        return text === 'refused' ? null : { id, secret: 'told once' };
      },
      shownOnce(({ id }) => id),
    );
  }

  private async insert(tx: Tx, caller: UserCaller, text: string): Promise<{ id: string; text: string }> {
    const row = await tx.one<{ id: string; text: string }>(
      'INSERT INTO notes (partner_id, org_id, text) VALUES ($1, $2, $3) RETURNING id, text',
      [caller.partnerId, ORG, text],
    );
    if (!row) throw new Error('a note was not stored');
    return row;
  }
}

@Controller('notes')
class NotesController {
  constructor(
    readonly addNote: AddNote,
    readonly addDelicateNote: AddDelicateNote,
    readonly work: UnitOfWork,
  ) {}

  @Post()
  @Requires('sites:write', { mfa: true, audit: 'site.create' })
  add(@CurrentCaller() caller: UserCaller, @Body() body: NoteDto): Promise<{ id: string }> {
    return this.addNote.execute(caller, body);
  }

  @Post('present')
  @Requires('sites:write')
  present(@CurrentCaller() caller: UserCaller, @Body() body: NoteDto): Promise<object> {
    return this.addDelicateNote.read(caller, body);
  }

  @Post('secret')
  @Requires('sites:write')
  async secret(@CurrentCaller() caller: UserCaller, @Body() body: NoteDto): Promise<object> {
    return { made: await this.addDelicateNote.secret(caller, body) };
  }

  @Post(':noteId/ids')
  @Public()
  ids(@Param('noteId', UuidParam) id: string, @Query() query: IdsDto, @Body() body: IdsDto): object {
    return { id, query, body };
  }

  @Get()
  @Public()
  list(@CurrentCaller() caller: Caller): Promise<object[]> {
    return this.work.read(caller, (reader) => reader.query('SELECT id, partner_id, text FROM notes'));
  }
}

@Module({ controllers: [NotesController], providers: [AddNote, AddDelicateNote] })
class NotesModule {}

const definition: DatabaseDefinition = { name: 'notes', entities: [], migrations: [CreateNotes1] };
const notes: ServiceDefinition<NotesConfig> = {
  name: 'notes',
  config: NotesConfig,
  module: NotesModule,
  database: { definition, url: (config) => config.databaseUrlNotes },
};
const partnerId = '01900000-0000-7000-8000-000000000001';
const otherPartnerId = '01900000-0000-7000-8000-000000000002';
