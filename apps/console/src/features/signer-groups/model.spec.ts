import { linesOf } from './parts/signer-groups.tsx';

describe('pasted signers', () => {
  it('are trimmed lines, each once', () => {
    expect(linesOf(' Contoso Ltd \r\n\nFabrikam, Inc.\nContoso Ltd\n')).toEqual(['Contoso Ltd', 'Fabrikam, Inc.']);
  });

  it('are none in an empty text', () => {
    expect(linesOf(' \n ')).toEqual([]);
  });
});
