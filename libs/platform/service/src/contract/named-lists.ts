import { AUDIT_ACTIONS, PERMISSIONS } from '@gatehouse/contracts-core';

interface NamedList {
  readonly description: string;
  readonly values: readonly string[];
}

/** Closed lists that the contract states once, under a name of their own. */
const LISTS: Readonly<Record<string, NamedList>> = {
  AuditAction: { description: 'Every action of the audit log. The list is closed.', values: AUDIT_ACTIONS },
  Permission: { description: 'Every permission of a role or an API key. The list is closed.', values: PERMISSIONS },
};

interface Schema {
  readonly enum?: readonly unknown[];
  readonly description?: string;
}
interface Document {
  components?: { schemas?: Record<string, unknown> };
}

const isSchema = (node: unknown): node is Schema => typeof node === 'object' && node !== null;
const nameOf = (values: readonly unknown[]): string | undefined =>
  Object.keys(LISTS).find((name) => LISTS[name]?.values.join() === values.join());

/** Replaces each list by a reference to its name, and adds the lists that the document refers to. */
export function nameLists<T extends Document>(document: T): T {
  const used = new Set<string>();
  const named = JSON.parse(JSON.stringify(document), (_, node: unknown) => {
    const name = isSchema(node) && Array.isArray(node.enum) ? nameOf(node.enum) : undefined;
    if (name === undefined) return node;
    used.add(name);
    const { description } = node as Schema;
    return { $ref: `#/components/schemas/${name}`, ...(description && { description }) };
  }) as T;
  const schemas = [...used].sort().map((name) => {
    const { description = '', values = [] } = LISTS[name] ?? {};
    return [name, { type: 'string', description, enum: [...values] }];
  });
  if (schemas.length > 0)
    named.components = {
      ...named.components,
      schemas: { ...named.components?.schemas, ...(Object.fromEntries(schemas) as Record<string, unknown>) },
    };
  return named;
}
