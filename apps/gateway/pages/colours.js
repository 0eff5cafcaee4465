/** Contrast of colours as in WCAG 2.2, and a partner's colour where it can be read. */
const LEAST = 4.5;
const SURFACES = { light: '#ffffff', dark: '#161a22' };

const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Relative luminance of `#rrggbb`. */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** White or black, whichever can be read on the colour: one of them always has a contrast above 4.5. */
export const textOn = (colour) => (contrast(colour, '#ffffff') >= LEAST ? '#ffffff' : '#000000');

/** Whether the colour can be read as text on the cards of the page. */
export const isReadable = (colour, scheme) => contrast(colour, SURFACES[scheme]) >= LEAST;

/** Uses a partner's colour for buttons, and for text only in the schemes in which it can be read. */
export function useAccent(colour) {
  if (!/^#[\da-f]{6}$/i.test(colour)) return;
  const { style } = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    style.setProperty('--accent', colour);
    style.setProperty('--on-accent', textOn(colour));
    if (isReadable(colour, dark.matches ? 'dark' : 'light')) style.setProperty('--accent-text', colour);
    else style.removeProperty('--accent-text');
  };
  apply();
  dark.addEventListener('change', apply);
}
