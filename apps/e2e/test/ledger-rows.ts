import { expect } from '@jest/globals';
import type { Ledger } from './mixed-load.ts';
import { outboxesAreEmpty, sql, until, type World } from './world.ts';

/** The table that must hold an acknowledged write exactly once. */
const PLACES: Record<keyof Ledger, readonly [database: string, rows: string]> = {
  'site.create': ['tenancy', 'sites'],
  'pam.rule.create': ['pam', 'pam_rules'],
  'role.create': ['identity', 'roles'],
  'pam.elevation_request.submit': ['pam', 'elevation_requests'],
  'pam.elevation_request.approve': ['pam', `(SELECT id FROM elevation_requests WHERE status <> 'pending') AS decided`],
};

/** Whether each of the resources has its audit entry. Two entries of one are a failure. */
export async function auditedOnce(world: World, action: string, ids: readonly string[]): Promise<boolean> {
  const rows = await sql<{ entries: number }>(
    world,
    'audit',
    `SELECT count(*)::int AS entries FROM audit_entries WHERE action = $1 AND result = 'success'
      AND resource_id = ANY ($2::text[]) GROUP BY resource_id`,
    [action, ids],
  );
  expect(rows.filter(({ entries }) => entries > 1)).toEqual([]);
  return rows.length === ids.length;
}

/** Each acknowledged write exists once, with one audit entry. */
export async function eachWrittenOnce(world: World, ledger: Ledger): Promise<void> {
  await until(() => outboxesAreEmpty(world), 30);
  for (const [action, ids] of Object.entries(ledger) as [keyof Ledger, string[]][]) {
    const [database, rows] = PLACES[action];
    expect(ids.length).toBeGreaterThan(10);
    expect((await sql(world, database, `SELECT id FROM ${rows} WHERE id = ANY ($1::uuid[])`, [ids])).length).toBe(
      ids.length,
    );
    await until(() => auditedOnce(world, action, ids), 45);
  }
}
