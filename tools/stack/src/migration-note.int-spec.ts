import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isMigratedBy, noteMigration } from './migration-note.ts';
import { connected, dropDatabase, provisionDatabase, type ServiceDatabase } from './provision.ts';

describe('the note of a migrated database', () => {
  let database: ServiceDatabase;

  beforeAll(async () => {
    database = await provisionDatabase(adminUrl, 'audit', '_note');
  });

  afterAll(() => dropDatabase(adminUrl, database.database));

  it('is missing before the first migration', async () => {
    expect(await isMigratedBy(database.ownerUrl, 'build-1')).toBe(false);
  });

  it('holds for the build that migrated, not for another', async () => {
    await asOwner('CREATE TABLE migrations (id int); INSERT INTO migrations VALUES (1)');
    await noteMigration(database.ownerUrl, 'build-1');
    expect(await isMigratedBy(database.ownerUrl, 'build-1')).toBe(true);
    expect(await isMigratedBy(database.ownerUrl, 'build-2')).toBe(false);
  });

  it('no longer holds when the content was replaced by an older copy', async () => {
    await asOwner('DELETE FROM migrations');
    expect(await isMigratedBy(database.ownerUrl, 'build-1')).toBe(false);
    await asOwner('DROP TABLE migrations');
    expect(await isMigratedBy(database.ownerUrl, 'build-1')).toBe(false);
  });

  const asOwner = (sql: string): Promise<unknown> => connected(database.ownerUrl, (client) => client.query(sql));
});

const adminUrl = process.env['GATEHOUSE_TEST_PG_ADMIN_URL'] ?? '';
