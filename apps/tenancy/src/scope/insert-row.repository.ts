import type { Tx } from '@gatehouse/database';
import type { EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import { returned } from './assignments.ts';

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
