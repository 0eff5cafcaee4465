import { Public } from '@gatehouse/auth';
import { asService } from '@gatehouse/contracts-core';
import { type DatabaseDefinition, type Tx, UnitOfWork } from '@gatehouse/database';
import { ServiceConfig, type ServiceDefinition } from '@gatehouse/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post, Query } from '@nestjs/common';
import { IsString } from 'class-validator';
import pg from 'pg';
import { TestService, testServers } from '../src/index.ts';

describe('a service that PostgreSQL refuses', () => {
  let service: TestService<MarksConfig>;
  beforeAll(async () => {
    service = await TestService.start(marks);
    await service.sql('CREATE TABLE marks (at timestamptz); GRANT ALL ON marks TO PUBLIC');
  });
  afterAll(() => service.stop());

  it.each(['before', 'after'])(
    'R-121 answers 503 when it froze %s a statement, and its transaction ended',
    async (when) => {
      expect((await service.as(null).post(`/marks?frozen=${when}`)).body.code).toBe('unavailable');
      expect(await service.sql('SELECT FROM marks')).toEqual([]);
    },
  );

  it('R-121 answers 503 while its login is refused, and serves again afterwards', async () => {
    const role = new URL(service.database?.appUrl ?? '').username;
    const administrator = new pg.Client({ connectionString: testServers().postgresAdminUrl });
    await administrator.connect();
    await administrator.query(`ALTER ROLE ${role} NOLOGIN`);
    await administrator.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
    for (let call = 0; call < 3; call++) expect((await service.as(null).get('/marks')).body.code).toBe('unavailable');
    await administrator.query(`ALTER ROLE ${role} LOGIN`);
    await administrator.end();
    expect((await service.as(null).get('/marks')).body).toEqual([]);
  });
});

/** Blocks the whole process for longer than PostgreSQL lets a transaction rest. */
async function freeze(tx: Tx): Promise<void> {
  await tx.query("SET LOCAL idle_in_transaction_session_timeout = '50ms'");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
}

const caller = asService('marks');

@Controller('marks')
class MarksController {
  constructor(readonly work: UnitOfWork) {}

  @Get()
  @Public()
  list(): Promise<object[]> {
    return this.work.backgroundRead(caller, (reader) => reader.query('SELECT at FROM marks'));
  }

  @Post()
  @Public()
  add(@Query('frozen') frozen: string): Promise<void> {
    return this.work.background(caller, async (tx) => {
      if (frozen === 'before') await freeze(tx);
      await tx.query('INSERT INTO marks VALUES (now())');
      if (frozen === 'after') await freeze(tx);
    });
  }
}

@Module({ controllers: [MarksController] })
class MarksModule {}

class MarksConfig extends ServiceConfig {
  @IsString()
  databaseUrlMarks!: string;
}

const definition: DatabaseDefinition = { name: 'marks', entities: [], migrations: [] };
const marks: ServiceDefinition<MarksConfig> = {
  name: 'marks',
  config: MarksConfig,
  module: MarksModule,
  database: { definition, url: ({ databaseUrlMarks }) => databaseUrlMarks },
};
