import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ACCESS } from './access-table.ts';

describe('the contract of all services', () => {
  it('lets exactly those call whom the table names', () => {
    expect(Object.fromEntries(routes.map(({ route, operation }) => [route, say(operation['x-access'])]))).toEqual(
      ACCESS,
    );
  });

  it('says what each route answers when it succeeds', () => {
    expect(
      routes
        .filter(({ operation }) => !Object.keys(operation.responses).some((status) => /^[23]/.test(status)))
        .map(({ route }) => route),
    ).toEqual([]);
  });

  it('names the 401 of a public route, which refuses the token of a visit (SSO-167)', () => {
    const open = routes.filter(({ operation }) => operation['x-access'].kind === 'public');
    expect(open.filter(({ operation }) => !('401' in operation.responses)).map(({ route }) => route)).toEqual([]);
  });
});

interface Declared {
  readonly kind: string;
  readonly permission?: string | null;
  readonly mfa?: boolean;
  readonly sessionOnly?: boolean;
  readonly levels?: readonly string[];
}

interface Contract {
  readonly paths: Record<string, Record<string, { 'x-access': Declared; responses: Record<string, unknown> }>>;
}

const contractOf = (service: string): Contract =>
  JSON.parse(readFileSync(new URL(`../../${service}/openapi.json`, import.meta.url), 'utf8')) as Contract;

const say = ({ kind, permission, mfa, levels, sessionOnly }: Declared): string => {
  if (kind !== 'user') return kind;
  const needed = permission ?? (sessionOnly ? 'session' : 'signed-in');
  return [needed, mfa && 'mfa', permission && sessionOnly && 'session', levels?.join('|')].filter(Boolean).join(' ');
};

const routes = UPSTREAM_NAMES.flatMap((service) =>
  Object.entries(contractOf(service).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      operation,
    })),
  ),
);
