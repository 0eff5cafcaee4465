import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

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

/** Mantine's secondary texts and errors are too faint for WCAG AA on our grounds. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566071',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#a11d2b',
    '--mantine-color-red-6': '#c92a2a',
    '--gh-ground': '#f4f6f9',
    '--gh-line': '#dde2ea',
  },
  dark: {
    '--mantine-color-body': '#161a22',
    '--mantine-color-dimmed': '#a6afc0',
    '--mantine-color-placeholder': '#8f99ab',
    '--mantine-color-error': '#ff9aa3',
    '--mantine-color-gray-light': '#2b3240',
    '--gh-ground': '#101319',
    '--gh-line': '#2b3240',
  },
});
