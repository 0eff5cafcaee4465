import { describe, expect, it } from '@jest/globals';
import { patchOf } from './model.ts';

describe('settings', () => {
  it('a patch nests what its fields name', () => {
    expect(patchOf({ name: 'Acme', 'settings.timezone': 'UTC', 'settings.contact.email': null })).toEqual({
      name: 'Acme',
      settings: { timezone: 'UTC', contact: { email: null } },
    });
  });
});
