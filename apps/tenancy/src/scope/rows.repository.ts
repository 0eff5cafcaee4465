import { type Conditions, type SqlParameter, toSnake, type Tx } from '@gatehouse/database';
import type { EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';

/** The columns that a statement gives; dates may come as the text of the request. */
export type NewRow<T> = { readonly [K in keyof T]?: Date extends T[K] ? T[K] | string : T[K] };

/** Inserts one row in one statement and returns it with the defaults that the database filled in. */
export async function insertRow<T extends ObjectLiteral>(tx: Tx, entity: EntityTarget<T>, row: NewRow<T>): Promise<T> {
  const { generatedMaps } = await tx.manager
    .createQueryBuilder()
    .insert()
    .into(entity)
    .values(row as QueryDeepPartialEntity<T>)
    .returning('*')
    .execute();
  return returned(generatedMaps[0]) as T;
}

/**
 * The assignments of an UPDATE (`name = $3, max_devices = $4`) from a validated patch, whose DTO members name the
 * columns. Objects are stored as JSON.
 */
export const assignments = (patch: object, conditions: Conditions): string =>
  Object.entries(patch)
    .map(([member, value]) => `${toSnake(member)} = ${conditions.bind(value as SqlParameter)}`)
    .join(', ');

/** Columns and placeholders of an INSERT; undefined members keep the column's default. */
export function insertion(row: object): { columns: string; placeholders: string; values: SqlParameter[] } {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return {
    columns: given.map(([member]) => toSnake(member)).join(', '),
    placeholders: given.map((_, at) => `$${at + 1}`).join(', '),
    values: given.map(([, value]) => value as SqlParameter),
  };
}

/** Requires that a statement with RETURNING returned its row. */
export function returned<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new Error('a statement that returns its row returned none');
  return row;
}

/** Maps each key to the values that have it, in their original order, for many look-ups. */
export function indexed<T>(
  things: readonly T[],
  keysOf: (thing: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const index = new Map<string, T[]>();
  for (const thing of things) {
    for (const key of new Set(keysOf(thing))) {
      const sharing = index.get(key);
      if (sharing) sharing.push(thing);
      else index.set(key, [thing]);
    }
  }
  return index;
}
