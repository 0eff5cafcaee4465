import { describe, expect, it } from '@jest/globals';
import { requireVersion } from './entity-tags.ts';

describe('PAM-192 If-Match', () => {
  it.each([undefined, '*', '"3"', '"2", "3"', ' "3" '])('lets a change of version 3 pass with %s', (ifMatch) => {
    expect(() => requireVersion({ ifMatch }, 3)).not.toThrow();
  });

  it.each(['"2"', '', '3', 'W/"3"', '"33"'])('refuses it with %s', (ifMatch) => {
    expect(() => requireVersion({ ifMatch }, 3)).toThrow(
      expect.objectContaining({ code: 'version_conflict', status: 412, members: { currentVersion: 3 } }),
    );
  });
});
