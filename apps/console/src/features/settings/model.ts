import type { Values } from '../../ui/forms/fields.ts';
import type { PartnerPatch } from './queries.ts';

/** What the form of the sign-in page holds. */
export interface BrandingValues {
  readonly logoUrl: string;
  readonly accentColor: string;
  readonly headline: string;
}

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

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const MIN_CONTRAST = 4.5;
/** The cards of the sign-in pages. */
const CARDS = { light: '#ffffff', dark: '#161a22' } as const;
export type Scheme = keyof typeof CARDS;

export const isColor = (text: string): boolean => COLOR.test(text);

/** White or black, whichever the sign-in page writes on a button of this colour. */
export const textOn = (color: string): string => (contrastOf(color, '#ffffff') >= MIN_CONTRAST ? 'white' : 'black');

/** In which appearances the sign-in page cannot write links in this colour, and takes its own. */
export const unreadableIn = (color: string): Scheme[] =>
  (['light', 'dark'] as const).filter((scheme) => contrastOf(color, CARDS[scheme]) < MIN_CONTRAST);

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
