import { databaseSettings } from '@gatehouse/contracts-core/services';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../binaries/run.ts';
import { isMigratedBy, noteMigration } from '../migration-note.ts';
import { programOf, REPOSITORY } from '../paths.ts';
import { provisionDatabase } from '../provision.ts';
import { messageOf, StackError } from '../stack-error.ts';

/**
 * The settings of one database: `DATABASE_URL_<NAME>` for the service, `DATABASE_OWNER_URL_<NAME>` for its migrations.
 */
export interface DatabaseUrls {
  readonly app: string;
  /** Absent when the user gave only the runtime address: then migrations are theirs to run. */
  readonly owner?: string;
}

/** The addresses that the user has set for this database, if any. */
export function givenUrls(database: string): DatabaseUrls | undefined {
  const names = databaseSettings(database);
  const app = process.env[names.app];
  return app ? { app, owner: process.env[names.owner] || undefined } : undefined;
}

/** The user's database, or one of ours, made when it is not there. */
export async function databaseUrls(database: string, adminUrl: string | undefined): Promise<DatabaseUrls> {
  const given = givenUrls(database);
  if (given !== undefined) return given;
  if (adminUrl === undefined)
    throw new StackError(
      `${databaseSettings(database).app} is missing and there is no PostgreSQL to make the database on`,
    );
  const { appUrl, ownerUrl } = await provisionDatabase(adminUrl, database);
  return { app: appUrl, owner: ownerUrl };
}

/** What the compiler leaves is split over many files; a bundle is whole. */
const buildOf = (database: string): string =>
  process.env['GATEHOUSE_PROGRAMS'] ? '' : buildMark(projectsOf(database));

/**
 * Runs a service's own migration command as the owner of its tables. A database of ours that this very build has
 * migrated is left alone.
 */
export async function migrateDatabase(database: string, urls: DatabaseUrls): Promise<void> {
  const program = programOf(database, 'migrate');
  if (urls.owner === undefined || !existsSync(program)) return;
  const isOurs = givenUrls(database) === undefined;
  const build = createHash('sha256').update(readFileSync(program)).update(buildOf(database)).digest('hex');
  if (isOurs && (await isMigratedBy(urls.owner, build))) return;
  const names = databaseSettings(database);
  const env = { ...process.env, [names.app]: urls.app, [names.owner]: urls.owner };
  try {
    await run(process.execPath, [program], { cwd: REPOSITORY, env });
  } catch (error) {
    throw new StackError(`migrating ${database} failed: ${messageOf(error)}`);
  }
  if (isOurs) await noteMigration(urls.owner, build);
}

function collect(directory: string, found: Set<string>): Set<string> {
  const file = join(directory, 'tsconfig.json');
  if (found.has(directory) || !existsSync(file)) return found;
  found.add(directory);
  const { references = [] } = JSON.parse(readFileSync(file, 'utf8')) as { references?: { path: string }[] };
  for (const { path } of references) collect(resolve(directory, path), found);
  return found;
}

/** The directories of a service's project and of all that it is built from. */
export const projectsOf = (service: string): ReadonlySet<string> =>
  collect(join(REPOSITORY, 'apps', service), new Set());

/** Changes whenever the compiler has written any of these projects anew. */
export function buildMark(projects: ReadonlySet<string>): string {
  const times = [...projects].map(
    (project) => statSync(join(project, 'dist/.tsbuildinfo'), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return times.join();
}
