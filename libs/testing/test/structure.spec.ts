import { describe, expect, it } from '@jest/globals';

const MAX_FOLDERS = 12;
const structure = (await import(new URL('../../../tools/structure.mjs', import.meta.url).href)) as Structure;

describe('the folders of the source', () => {
  it('do not import themselves through others', () => {
    expect(structure.foldersInCycles()).toEqual([]);
  });

  it('hold no files that do so', () => {
    expect(structure.filesInCycles()).toEqual([]);
  });

  it(`stand at most ${MAX_FOLDERS} beside each other below the source of an application`, () => {
    expect(structure.crowdedApplications(MAX_FOLDERS)).toEqual([]);
  });

  it('are named in the README of their service', () => {
    expect(structure.undescribedFolders()).toEqual([]);
  });
});

interface House {
  count(): { name: string; count: number; ceiling: number }[];
}

describe('the size of the repository', () => {
  it('stays below the ceilings of tools/house.mjs', async () => {
    const { count } = (await import(new URL('../../../tools/house.mjs', import.meta.url).href)) as House;
    expect(count().filter((row) => row.count > row.ceiling)).toEqual([]);
  });
});

interface Structure {
  foldersInCycles(): string[];
  filesInCycles(): string[];
  crowdedApplications(max: number): string[];
  undescribedFolders(): string[];
}
