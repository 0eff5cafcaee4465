import { ERROR_STATUS } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { apiDocument } from '../src/docs/api-document.ts';

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
  readonly responses: Readonly<Record<string, { readonly $ref?: string } & Described>>;
}
interface Schema extends Described {
  readonly properties?: Readonly<Record<string, Described>>;
}

const { paths, components } = apiDocument();
const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
  Object.values(methods),
);
const schemas = components?.['schemas'] as Record<string, Schema>;
const isBare = ({ description = '' }: Described): boolean => description.trim() === '';

/** What to do about the rest, so that a failure says it. */
const MEMBERS = 'write a comment above the member in its class, or its text in tools/openapi/src/texts';
const HANDLERS = 'write a comment above the handler: its first sentence is the summary';

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
});
