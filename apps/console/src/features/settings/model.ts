import type { Values } from '../../ui/forms/fields.ts';
import type { PartnerPatch } from './queries.ts';

const COLOR = /^#[\da-f]{6}$/i;
/** How much each of red, green and blue adds to the luminance. */
const WEIGHTS = [0.2126, 0.7152, 0.0722];

/** Relative luminance, 0 to 1 (WCAG 2.2). @param color such as `#1b62b8` */
function luminanceOf(color: string): number {
  const shares = WEIGHTS.map((weight, at) => {
    const share = parseInt(color.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
    return weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

/** The contrast of white text on a colour, 1 to 21 (WCAG 2.2); null for what is no colour. */
export function contrastWithWhite(color: string): number | null {
  return COLOR.test(color) ? 1.05 / (luminanceOf(color) + 0.05) : null;
}

/** Sign-in pages take a partner's colour only from this contrast on. */
export const LEAST_CONTRAST = 4.5;

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
