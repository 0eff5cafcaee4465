import { type DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';

/** A migration that makes a whole schema at once, in place of the steps by which an earlier version came to it. */
export abstract class Baseline implements MigrationInterface {
  abstract readonly name: string;
  /** The step that was added last: a database that has it has them all. */
  abstract readonly replaces: string;
  protected abstract readonly schema: readonly string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of this.schema) await runner.query(sql);
  }

  /** Nothing comes before a baseline; to take it back, an operator drops the database. */
  down(): Promise<void> {
    return Promise.reject(new Error(`${this.name} cannot be reverted`));
  }
}

/**
 * Records a baseline as done where all the steps that it replaces have run. A database that has only some of them stays
 * as it is, because the baseline would make its tables again.
 */
export async function adoptBaselines(source: DataSource): Promise<void> {
  const executor = new MigrationExecutor(source);
  const known = new Set(source.migrations.map(({ name, constructor }) => name ?? constructor.name));
  const done = new Set((await executor.getExecutedMigrations()).map(({ name }) => name));
  if ([...done].every((name) => known.has(name))) return;
  const baselines = (await executor.getPendingMigrations()).flatMap((migration) =>
    migration.instance instanceof Baseline ? [{ migration, replaces: migration.instance.replaces }] : [],
  );
  const missing = baselines.map(({ replaces }) => replaces).filter((name) => !done.has(name));
  if (missing.length > 0)
    throw new Error(
      `an earlier version made this database, and ${missing.join(' and ')} has not run in it: first run the migrations ` +
        'of the last version that has it (docs/upgrading.md), then these. Nothing was changed',
    );
  for (const { migration } of baselines) await executor.insertMigration(migration);
}
