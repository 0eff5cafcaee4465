import type { Contract, Schema } from './contract.ts';
import type { ClassSource } from './source-comments.ts';
import { memberText } from './texts/common.ts';

export type Sources = ReadonlyMap<string, ClassSource>;

/** The comment of a member, in its class or in one that the class extends. */
export function memberComment(sources: Sources, type: string | null, member: string): string | undefined {
  for (let source = sources.get(type ?? ''); source; source = sources.get(source.extended ?? '')) {
    const comment = source.members.get(member);
    if (comment) return comment;
  }
  return memberText(sources.get(type ?? '')?.path ?? '', type, member);
}

/** OpenAPI 3.1 takes a description beside a reference, and a schema without a type for any value. */
function plainSchema(schema: Schema): Schema {
  const { allOf, anyOf, ...rest } = schema;
  if (JSON.stringify(anyOf) === '[{}]') return rest;
  const [only, ...others] = allOf ?? [];
  return only?.$ref !== undefined && others.length === 0 ? { ...rest, ...only } : schema;
}

/** Writes the comments of the classes into their schemas. */
export function documentSchemas({ components }: Contract, sources: Sources): void {
  for (const [name, schema] of Object.entries(components.schemas)) {
    const comment = sources.get(name)?.comment;
    if (comment && !schema.description) schema.description = comment;
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      const plain = plainSchema(property);
      plain.description ??= memberComment(sources, name, member);
      if (plain.description === undefined) delete plain.description;
      schema.properties![member] = plain;
    }
  }
}
