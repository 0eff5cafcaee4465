import { readFileSync } from 'node:fs';
import { ACCESS } from '../src/api/generated/access.ts';
import { router } from '../src/router.tsx';

describe('the table of screens', () => {
  it('names every screen of the console and no other', () => {
    expect(Object.keys(SCREENS).toSorted()).toEqual(Object.keys(router.routesByPath).toSorted());
  });

  it('names operations of the contract', () => {
    const named = Object.values(SCREENS).flatMap(({ needs, controls }) => [needs ?? [], ...Object.values(controls)]);
    expect(named.flat().filter((operation) => !(operation in ACCESS))).toEqual([]);
  });
});

interface Screen {
  readonly needs: string | null;
  readonly controls: Readonly<Record<string, string>>;
}

const TABLE = new URL('screens.json', import.meta.url);
const SCREENS = JSON.parse(readFileSync(TABLE, 'utf8')) as Readonly<Record<string, Screen>>;
