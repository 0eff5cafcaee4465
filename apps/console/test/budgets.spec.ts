import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUILT = new URL('../dist/', import.meta.url);

// `npm test` builds the console before; a developer may not have.
const whenBuilt = existsSync(BUILT) ? describe : describe.skip;

whenBuilt('the built console', () => {
  it('opens its first view with few bytes', () => {
    expect(total(firstView())).toBeLessThanOrEqual(LARGEST.firstView);
  });

  it.each(['approval-queue', 'overview-page', 'partner-list'])(
    'needs few files to show %s first, with all that stands beside it',
    (screen) => {
      const files = withImports(named(screen, 'side-panel'), firstView());
      expect(files.size).toBeLessThanOrEqual(MAX_FILES);
    },
  );

  it('puts few bytes beside the screens', () => {
    const known = firstView();
    const added = [...withImports(named('side-panel'))].filter((each) => !known.has(each));
    expect(total(added)).toBeLessThanOrEqual(LARGEST.beside);
  });

  it('has one sheet of styles of few bytes', () => {
    const styles = assets().filter((name) => name.endsWith('.css') && name.startsWith('first-view-'));
    expect(styles).toHaveLength(1);
    expect(total(styles)).toBeLessThanOrEqual(LARGEST.styles);
  });

  it('adds few bytes for any other screen, and more only for charts', () => {
    const known = firstView();
    const others = scripts().filter((each) => !known.has(each) && !each.startsWith('side-panel-'));
    for (const name of others) {
      const added = [...withImports([name])].filter((each) => !known.has(each));
      const hasCharts = added.some((each) => asset(each).includes('recharts'));
      const largest = LARGEST.screen + (hasCharts ? LARGEST.charts : 0);
      expect([name, total(added) <= largest]).toEqual([name, true]);
    }
  });

  it('inlines no script and no style', () => {
    const page = readFileSync(new URL('index.html', BUILT), 'utf8');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|data:/);
  });
});

describe('the pages of the gateway', () => {
  it.each(['login', 'account'])('%s needs few bytes', (page) => {
    const files = [`${page}.html`, 'gatehouse.css', 'icon.svg', ...importsOf(`${page}.js`)];
    const bytes = files.reduce((sum, name) => sum + sizeOf(readFileSync(new URL(name, PAGES))), 0);
    expect(bytes).toBeLessThanOrEqual(LARGEST.signInPage);
  });

  const importsOf = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    const text = readFileSync(new URL(name, PAGES), 'utf8');
    for (const [, imported = ''] of text.matchAll(/from '\.\/([\w-]+\.js)'/g)) importsOf(imported, found);
    return found;
  };
});

const PAGES = new URL('../../gateway/pages/', import.meta.url);
const KB = 1_024;
const STATIC_IMPORT = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g;
const LARGEST = {
  firstView: 215 * KB,
  styles: 40 * KB,
  beside: 55 * KB,
  screen: 50 * KB,
  charts: 125 * KB,
  signInPage: 12 * KB,
};
/** Scripts that are fetched until the first screen stands complete: one of many small files waits for each. */
const MAX_FILES = 25;

const sizeOf = (text: string | Buffer): number => gzipSync(text, { level: 9 }).length;
const asset = (name: string): string => readFileSync(new URL(`assets/${name}`, BUILT), 'utf8');
const assets = (): string[] => readdirSync(new URL('assets/', BUILT));
const scripts = (): string[] => assets().filter((name) => name.endsWith('.js'));

/** A script with all that it loads before it runs. */
function withImports(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names.filter((each) => !found.has(each))) {
    found.add(name);
    withImports(
      [...asset(name).matchAll(STATIC_IMPORT)].map(([, imported]) => imported ?? ''),
      found,
    );
  }
  return found;
}

const total = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + sizeOf(asset(name)), 0);

const named = (...names: string[]): string[] =>
  names.map((name) => scripts().find((script) => script.startsWith(`${name}-`)) ?? `${name} is not built`);

/** The scripts that every first view needs: those that the page names, and the application. */
function firstView(): Set<string> {
  const page = readFileSync(new URL('index.html', BUILT), 'utf8');
  const entries = [...page.matchAll(/src="\/console\/assets\/([^"]+\.js)"/g)].map(([, entry = '']) => entry);
  return withImports([...entries, ...named('application')]);
}
