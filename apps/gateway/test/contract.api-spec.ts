import { AUDIT_ACTIONS, ERROR_STATUS, PERMISSIONS, UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { ApiDocument } from '../src/docs/api-document.ts';
import { GatewayHarness } from './gateway.harness.ts';

const documents = UPSTREAM_NAMES.map(
  (service) =>
    [
      service,
      JSON.parse(readFileSync(new URL(`../../${service}/openapi.json`, import.meta.url), 'utf8')) as ApiDocument,
    ] as const,
);

const gateway = await GatewayHarness.start();
afterAll(() => gateway.stop());

const isInternal = (path: string): boolean => path.includes('/internal/');

describe.each(documents)('the contract of %s', (service, { paths }) => {
  const routes = Object.entries(paths)
    .filter(([path]) => !isInternal(path))
    .flatMap(([path, verbs]) => Object.keys(verbs as object).map((verb) => [verb.toUpperCase(), path] as const));

  it.each(routes)('is reached through the gateway: %s %s', async (method, path) => {
    const target = path.replaceAll(/\{[^}]+\}/g, newId());
    await gateway.call(target, { method });
    expect(gateway.upstreams[service].seen.at(-1)).toMatchObject({ method, url: target });
  });
});

describe('the joined contract', () => {
  it('holds every route once, and none that the gateway does not route', async () => {
    const { body } = await gateway.get('/api/v1/openapi.json');
    const all = documents.flatMap(([, { paths }]) => Object.keys(paths)).filter((path) => !isInternal(path));
    expect(new Set(all).size).toBe(all.length);
    expect(new Set(Object.keys(body['paths'] as object))).toEqual(new Set(all));
  });

  it('states the closed lists of codes, audit actions, permissions and live events under names of their own', async () => {
    const { body } = await gateway.get('/api/v1/openapi.json');
    const { schemas } = body['components'] as { schemas: Record<string, object> };
    expect(schemas).toMatchObject({
      Problem: { properties: { code: { enum: Object.keys(ERROR_STATUS) } } },
      AuditAction: { type: 'string', enum: AUDIT_ACTIONS },
      Permission: { type: 'string', enum: PERMISSIONS },
      LiveElevationEvent: { type: 'object' },
      LiveMergeEvent: { type: 'object' },
    });
  });

  it('means one thing by each name', () => {
    const meanings = new Map<string, string>();
    for (const [, { components }] of documents) {
      for (const [name, schema] of Object.entries(components?.['schemas'] ?? {})) {
        expect([name, meanings.get(name) ?? JSON.stringify(schema)]).toEqual([name, JSON.stringify(schema)]);
        meanings.set(name, JSON.stringify(schema));
      }
    }
  });
});
