import { describe, expect, it } from '@jest/globals';

interface Structure {
  foldersInCycles(): string[];
  crowdedFolders(most: number): string[];
  undescribedFolders(): string[];
}

const MOST_FILES = 12;
const structure = (await import(new URL('../../../tools/structure.mjs', import.meta.url).href)) as Structure;

describe('the folders of the source', () => {
  it('do not import themselves through others', () => {
    expect(structure.foldersInCycles()).toEqual([]);
  });

  it(`hold at most ${MOST_FILES} files each`, () => {
    expect(structure.crowdedFolders(MOST_FILES)).toEqual([]);
  });

  it('are named in the README of their service', () => {
    expect(structure.undescribedFolders()).toEqual([]);
  });
});
