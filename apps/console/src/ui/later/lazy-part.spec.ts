import { isMissingFile, needReload, offerReload, onReloadState, reloadState } from './lazy-part.ts';

describe('a part of the console', () => {
  it.each([
    [new TypeError('Failed to fetch dynamically imported module: https://a/x.js'), true],
    [new TypeError('error loading dynamically imported module: https://a/x.js'), true],
    [new TypeError('Importing a module script failed.'), true],
    [new Error('Unable to preload CSS for https://a/x.css'), true],
    [new TypeError('Failed to fetch'), false],
    [new Error('a fault of ours'), false],
    ['text', false],
  ])('that fails with %s misses a file: %s', (error, expected) => {
    expect(isMissingFile(error)).toBe(expected);
  });

  it('that is missing asks for the reload each time, and a version that is seen asks once', () => {
    const told: string[] = [];
    const stop = onReloadState(() => told.push(`${reloadState().isOffered} ${reloadState().missed}`));
    offerReload();
    offerReload();
    needReload();
    needReload();
    stop();
    needReload();
    expect(told).toEqual(['true 0', 'true 1', 'true 2']);
  });
});
