import { describe, expect, it } from '@jest/globals';
import { archiveOf, hasPackages, packageNames } from './debian-packages.ts';

describe('the package of a shared library', () => {
  it.each([
    ['libjemalloc.so.2', 'libjemalloc2'],
    ['liblzf.so.1', 'liblzf1'],
    ['liblua5.1.so.0', 'liblua5.1-0'],
    ['libssl.so.3', 'libssl3'],
    ['libcrypto.so.3', 'libssl3'],
    ['libz.so.1', 'zlib1g'],
  ])('%s is in %s', (library, name) => {
    expect(packageNames(library)).toEqual([name, `${name}t64`]);
  });
});

describe('the archive of this system', () => {
  it.each([
    [
      'Types: deb\n# a comment\nURIs: https://archive.example/debian\nSuites: stable\n',
      'https://archive.example/debian',
    ],
    ['# deb cdrom\ndeb https://archive.example/debian stable main\n', 'https://archive.example/debian'],
    ['deb [arch=amd64] https://archive.example/debian stable main\n', 'https://archive.example/debian'],
    ['', undefined],
  ])('is read from %j', (text, archive) => {
    expect(archiveOf([text])).toBe(archive);
  });
});

describe('the packages of the distribution', () => {
  it('are fetched on Linux, where apt and dpkg are', () => {
    expect(hasPackages('linux', everything)).toBe(true);
    expect(hasPackages('linux', withoutApt)).toBe(false);
  });

  it('are never asked for on macOS, which may have apt as well', () => {
    expect(hasPackages('darwin', everything)).toBe(false);
  });

  const everything = (program: string): string => `/usr/bin/${program}`;
  const withoutApt = (program: string): string | undefined => (program === 'apt-get' ? undefined : everything(program));
});
