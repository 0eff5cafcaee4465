import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { changedValues, type Values } from '../../ui/forms/fields.ts';

export type Partner = DataOf<'/orgs/partners/me', 'get'>;
type PartnerPatch = BodyOf<'/orgs/partners/me', 'patch'>;
export type Branding = NonNullable<DataOf<'/partners/me/login-branding', 'get'>['data']>;

export const partnerQuery = queryOptions({
  queryKey: ['settings', 'partner'],
  queryFn: ({ signal }) => ok(api.GET('/orgs/partners/me', { signal })),
});

export const updatePartner = (body: PartnerPatch) => ok(api.PATCH('/orgs/partners/me', { body }));

/** Null until the partner has branding of its own. */
export const brandingQuery = queryOptions({
  queryKey: ['settings', 'branding'],
  queryFn: async ({ signal }) => (await ok(api.GET('/partners/me/login-branding', { signal }))).data,
});

/** As it is stored now. */
export const readBranding = async (): Promise<Branding | null> =>
  (await ok(api.GET('/partners/me/login-branding'))).data;

/** The version that was read goes along: a change made in between is not overwritten. */
export const updateBranding = (stored: Branding | null, body: BodyOf<'/partners/me/login-branding', 'put'>) =>
  ok(
    api.PUT('/partners/me/login-branding', {
      params: { header: stored ? { 'If-Match': `"${stored.version}"` } : {} },
      body,
    }),
  );

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

/** Texts that the server keeps empty. */
const MAY_BE_EMPTY = new Set(['settings.contact.name', 'settings.contact.phone', 'settings.contact.website']);

/** What the form changes. The server knows no other empty setting: one that was emptied is left as it is. */
export function changedSettings(initial: Values, values: Values): Values {
  const emptied = (name: string, value: Values[string]) => (value === null && MAY_BE_EMPTY.has(name) ? '' : value);
  return Object.fromEntries(
    Object.entries(changedValues(initial, values))
      .map(([name, value]) => [name, emptied(name, value)] as const)
      .filter(([name, value]) => value !== null || name === 'billingEmail'),
  );
}
