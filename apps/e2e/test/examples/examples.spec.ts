import { describe, expect, it } from '@jest/globals';
import { routesIn } from '../fuzz/contract.ts';
import { faultsOf } from '../fuzz/schema.ts';
import { contracts, schemas } from '../fuzz/contracts.ts';
import { recordedExamples } from './examples.ts';

const examples = Object.entries(recordedExamples());

describe('the examples of the contract', () => {
  it('are there for most operations, and only for those that there are', () => {
    const known = routes.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
    expect(examples.length).toBeGreaterThan(150);
    expect(examples.map(([route]) => route).filter((route) => !known.includes(route))).toEqual([]);
  });

  it.each(examples)('fit their schemas: %s', (route, { request, status, answer }) => {
    const found = routes.find(({ method, path }) => `${method} ${path.replace('/api/v1', '')}` === route);
    const taken = found?.body?.type === JSON_TYPE && request !== undefined ? found.body.schema : {};
    expect([...faultsOf(request, taken, schemas)]).toEqual([]);
    const given = found?.responses.get(status)?.[JSON_TYPE]?.schema;
    expect(given).toBeDefined();
    expect([...faultsOf(answer, given ?? {}, schemas)]).toEqual([]);
  });
});

const routes = contracts.flatMap(routesIn);
const JSON_TYPE = 'application/json';
