import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { getQuery } from '../api/client.ts';

const brand: MantineColorsTuple = [
  '#edf3fd',
  '#d9e5f8',
  '#b0c9f0',
  '#84abe8',
  '#6093e1',
  '#3a78d3',
  '#2a69c4',
  '#1f5fbf',
  '#1a4f9f',
  '#123a76',
];

/** Mantine's own dark scale is brown beside our grounds. */
const dark: MantineColorsTuple = [
  '#e4e8ef',
  '#c3cad6',
  '#a6afc0',
  '#5d687b',
  '#3a4354',
  '#2b3240',
  '#232936',
  '#1b202a',
  '#161a22',
  '#101319',
];

// A list that opened by itself would take the first Escape of a dialog that begins with it.
const CLOSED = { openOnFocus: false };

export const theme = createTheme({
  colors: { brand, dark },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  components: {
    Select: { defaultProps: CLOSED },
    MultiSelect: { defaultProps: CLOSED },
    Badge: { defaultProps: { size: 'sm', variant: 'light', tt: 'none', className: 'gh-status' } },
  },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' } } },
});

/** The grounds of the header and of the cards, also of the sign-in pages. */
const GROUNDS = { light: '#ffffff', dark: '#161a22' } as const;
type Scheme = keyof typeof GROUNDS;

/** Mantine's secondary texts and errors are too faint for WCAG AA on our grounds. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': GROUNDS.light,
    '--mantine-color-dimmed': '#566071',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#a11d2b',
    '--mantine-color-red-6': '#c92a2a',
    '--gh-ground': '#f4f6f9',
    '--gh-line': '#dde2ea',
  },
  dark: {
    '--mantine-color-body': GROUNDS.dark,
    '--mantine-color-dimmed': '#a6afc0',
    '--mantine-color-placeholder': '#8f99ab',
    '--mantine-color-error': '#ff9aa3',
    '--mantine-color-gray-light': '#2b3240',
    '--gh-ground': '#101319',
    '--gh-line': '#2b3240',
  },
});

/** What the partner chose for its sign-in page; null until it has. */
export const brandingQuery = getQuery('settings', '/partners/me/login-branding', { select: ({ data }) => data });

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

export const isColor = (text: string): boolean => COLOR.test(text);

/** White or black, whichever the sign-in page writes on a button of this colour. */
export const textOn = (color: string): string => (contrastOf(color, '#ffffff') >= MIN_CONTRAST ? 'white' : 'black');

/** The appearances in which the colour is too faint: the sign-in page takes its own for links there, the shell none. */
export const unreadableIn = (color: string): Scheme[] =>
  (['light', 'dark'] as const).filter((scheme) => contrastOf(color, GROUNDS[scheme]) < MIN_CONTRAST);
