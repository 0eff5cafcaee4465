import { AUDIT_ACTIONS, PERMISSIONS } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { nameLists } from './named-lists.ts';

describe('a contract', () => {
  it('states a closed list once, under its name, and refers to it', () => {
    const { Role, Entry, Other, ...lists } = nameLists({
      components: {
        schemas: {
          Role: { properties: { permissions: { type: 'array', items: closed(PERMISSIONS) } } },
          Entry: { properties: { action: { ...closed(AUDIT_ACTIONS), description: 'What was done.' } } },
          Other: { properties: { kind: closed(['a', 'b']) } },
        },
      },
    }).components.schemas as Record<string, unknown>;
    expect(Role).toEqual({
      properties: { permissions: { type: 'array', items: { $ref: '#/components/schemas/Permission' } } },
    });
    expect(Entry).toEqual({
      properties: { action: { $ref: '#/components/schemas/AuditAction', description: 'What was done.' } },
    });
    expect(Other).toEqual({ properties: { kind: closed(['a', 'b']) } });
    expect(lists).toMatchObject({ AuditAction: closed(AUDIT_ACTIONS), Permission: closed(PERMISSIONS) });
  });

  it('without such a list has none', () => {
    const document = { components: { schemas: { Other: closed(['a']) } } };
    expect(nameLists(document)).toEqual(document);
  });
});

const closed = (values: readonly string[]) => ({ type: 'string', enum: [...values] });
