import type { Values } from '../../ui/forms/fields.ts';
import type { PartnerPatch } from './queries.ts';

/** What the form of the sign-in page holds. */
export interface BrandingValues {
  readonly logoUrl: string;
  readonly accentColor: string;
  readonly headline: string;
}

/** `{ 'settings.contact.name': 'x' }` becomes `{ settings: { contact: { name: 'x' } } }`. */
export function patchOf(values: Values): PartnerPatch {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const parents = path.split('.');
    const last = parents.pop() ?? path;
    let at = patch;
    for (const parent of parents) at = (at[parent] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return patch;
}
