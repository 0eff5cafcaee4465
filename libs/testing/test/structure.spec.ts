import { describe, expect, it } from '@jest/globals';

interface Structure {
  foldersInCycles(): string[];
  undescribedFolders(): string[];
}

const structure = (await import(new URL('../../../tools/structure.mjs', import.meta.url).href)) as Structure;

describe('the folders of the source', () => {
  it('do not import themselves through others', () => {
    expect(structure.foldersInCycles()).toEqual([]);
  });

  it('are named in the README of their service', () => {
    expect(structure.undescribedFolders()).toEqual([]);
  });
});
