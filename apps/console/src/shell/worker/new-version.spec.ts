import { assetsOf, isNewer } from './new-version.ts';

describe('the version of a page', () => {
  it('is the hashed files that it names', () => {
    expect(assetsOf(PAGE)).toEqual(['/console/assets/application-B1.css', '/console/assets/index-A1.js']);
    expect(assetsOf('<script src="/src/main.tsx"></script>')).toEqual([]);
  });

  it('is another one when the server names a file that is not known', () => {
    const own = [...assetsOf(PAGE), '/console/assets/later-C1.js'];
    expect(isNewer(assetsOf(PAGE), own)).toBe(false);
    expect(isNewer(assetsOf(PAGE.replace('A1', 'A2')), own)).toBe(true);
    expect(isNewer([], own)).toBe(false);
  });
});

const PAGE = `<link rel="stylesheet" href="/console/assets/application-B1.css">
  <script type="module" nonce="x" src="/console/assets/index-A1.js"></script>`;
