import { describe, expect, it } from '@jest/globals';
import { distinctSigners } from './signer-group.ts';

describe('distinctSigners', () => {
  it('trims each signer and keeps it once, whatever its case', () => {
    expect(distinctSigners([' Contoso Ltd ', 'CONTOSO LTD', 'Fabrikam', 'contoso ltd'])).toEqual([
      'Contoso Ltd',
      'Fabrikam',
    ]);
  });

  it('holds letters beyond ASCII apart', () => {
    expect(distinctSigners(['\u212A', 'k', 'K'])).toEqual(['\u212A', 'k']);
  });
});
