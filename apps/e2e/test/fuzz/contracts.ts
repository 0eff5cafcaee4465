import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { readFileSync } from 'node:fs';
import type { Contract } from './contract.ts';
import type { Schemas } from './schema.ts';

export const contracts: readonly Contract[] = UPSTREAM_NAMES.map(
  (name) => JSON.parse(readFileSync(new URL(`../../../${name}/openapi.json`, import.meta.url), 'utf8')) as Contract,
);
export const schemas = Object.assign({}, ...contracts.map(({ components }) => components.schemas)) as Schemas;
