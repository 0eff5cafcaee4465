import { ERROR_STATUS } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { apiDocument } from '../src/docs/api-document.ts';

describe('the words of the OpenAPI document', () => {
  it('summarise every operation', () => {
    expect({
      whatToDo: HANDLERS,
      bare: operations.filter(({ summary }) => !summary).map(({ operationId }) => operationId),
    }).toEqual({ whatToDo: HANDLERS, bare: [] });
  });

  it('describe every parameter', () => {
    const bare = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter((each) => each.$ref === undefined && isBare(each)).map(({ name }) => `${operationId} ${name}`),
    );
    expect({ whatToDo: MEMBERS, bare }).toEqual({ whatToDo: MEMBERS, bare: [] });
  });

  it('describe every member of every request and answer', () => {
    const bare = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, member]) => isBare(member))
        .map(([member]) => `${name}.${member}`),
    );
    expect({ whatToDo: MEMBERS, bare }).toEqual({ whatToDo: MEMBERS, bare: [] });
  });

  it('say what every code of a problem means', () => {
    const told = JSON.stringify([components?.['responses'], operations.map(({ responses }) => responses)]);
    const used = Object.keys(ERROR_STATUS).filter((code) => told.includes(`- \`${code}\``));
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter((code) => !told.includes(`- \`${code}\`: `))).toEqual([]);
  });

  it('call every operation by a name of its own', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]\w*\.[a-z]\w*$/i.test(id))).toEqual([]);
  });

  it('IDY-162: describe every operation, in a summary of at most 180 characters and a description', () => {
    expect(operations.filter(isBare).map(({ operationId }) => operationId)).toEqual([]);
    expect(operations.filter(({ summary = '' }) => summary.length > 180).map(({ operationId }) => operationId)).toEqual(
      [],
    );
    expect(operations.filter(({ operationId }) => /\d$/.test(operationId))).toEqual([]);
  });

  it('IDY-162: show an answer of success of every operation that answers JSON', () => {
    const without = operations.filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, { content }]) =>
          Number(status) < 400 && content?.['application/json'] && !content['application/json'].example,
      ),
    );
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it.each([
    'GET /sso/login/{orgId}',
    'GET /sso/login/partner/{partnerId}',
    'GET /sso/saml/login/{orgId}',
    'GET /sso/saml/login/partner/{partnerId}',
    'POST /auth/sso-discovery',
    'GET /auth/login-context',
    'POST /auth/refresh',
  ])('IDY-162: say that %s is limited', (route) => {
    expect(Object.keys(operationAt(route).responses)).toContain('429');
  });

  it.each([
    ['LoginResponse', 'methods'],
    ['MyMfaRecord', 'methods'],
    ['MeResponse', 'permissions'],
  ])('IDY-162: close the list of %s.%s', (name, member) => {
    const { $ref = '', enum: own } = schemas[name]?.properties?.[member]?.items ?? {};
    const list = own ?? schemas[$ref.split('/').at(-1) ?? '']?.enum;
    expect(list).toContain(member === 'methods' ? 'totp' : 'users:read');
  });

  it('IDY-162: name the cookie of refresh tokens, the instant of a push and the keys of every POST', () => {
    const named = (route: string): (string | undefined)[] =>
      (operationAt(route).parameters ?? []).map(({ $ref, name }) => $ref?.split('/').at(-1) ?? name);
    expect(named('POST /auth/refresh')).toContain('RefreshCookie');
    expect(components?.['parameters']).toMatchObject({ RefreshCookie: { in: 'cookie', name: 'gatehouse_refresh' } });
    expect(named('POST /sso/providers/metadata')).toContain('IdempotencyKey');
    expect(schemas['ApprovalPush']?.properties?.['expiresAt']).toMatchObject({ format: 'date-time' });
  });

  it('state each set of problems once, and refer to it', () => {
    const inline = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { $ref }]) => Number(status) >= 400 && $ref === undefined)
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(inline).toEqual([]);
  });
});

interface Described {
  readonly description?: string;
}
interface Parameter extends Described {
  readonly $ref?: string;
  readonly name?: string;
}
interface Operation extends Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Answer extends Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly schema: Schema }>>;
}
interface Schema extends Described {
  readonly $ref?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const { paths, components } = apiDocument();
const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
  Object.values(methods),
);
const schemas = components?.['schemas'] as Record<string, Schema>;
const operationAt = (route: string): Operation => {
  const [method = '', path = ''] = route.split(' ');
  return (paths as Record<string, Record<string, Operation>>)[`/api/v1${path}`]![method.toLowerCase()]!;
};
const isBare = ({ description = '' }: Described): boolean => description.trim() === '';

/** What to do about the rest, so that a failure says it. */
const MEMBERS = 'write a comment above the member in its class, or its text in tools/openapi/src/texts';
const HANDLERS = 'write a comment above the handler: its first sentence is the summary';
