import {
  certificatesIn,
  certificateState,
  daysUntil,
  trustedIn,
  withCertificate,
  withoutCertificate,
} from './certificates.ts';

const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;

describe('the certificates of a provider', () => {
  it.each([
    [`${pem('AA')}${pem('BB')}`, [pem('AA'), pem('BB')]],
    ['A\nA\n\nBB', [pem('AA'), pem('BB')]],
    [' ', []],
    [null, []],
  ])('are told apart in %j', (text, certificates) => {
    expect(certificatesIn(text)).toEqual(certificates);
  });

  it('are added and taken away one by one', () => {
    const both = withCertificate(pem('AA'), ' BB\n');
    expect(certificatesIn(both)).toEqual([pem('AA'), pem('BB')]);
    expect(withoutCertificate(both, 0)).toBe(pem('BB'));
    expect(withoutCertificate(pem('AA'), 0)).toBeNull();
  });

  it('run out', () => {
    const now = Date.parse('2026-01-10T12:00:00Z');
    expect(daysUntil('2026-01-20T11:00:00Z', now)).toBe(9);
    expect([-1, 0, 30, 31].map(certificateState)).toEqual(['expired', 'soon', 'soon', 'valid']);
  });

  it('of metadata are taken if they have not expired, those that last longest first, and two at most', () => {
    const one = (year: number) => ({ notAfter: `${year}-01-01T00:00:00Z`, pem: `${year}\n` });
    expect(trustedIn([2020, 2028, 2027, 2030].map(one), Date.parse('2026-01-01T00:00:00Z'))).toBe('2030\n2028');
  });
});
