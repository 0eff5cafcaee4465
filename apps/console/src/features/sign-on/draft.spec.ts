import { bodyOf, changesOf, draftOf, endedBy } from './draft.ts';
import type { Provider } from './model.ts';

describe('editing a provider', () => {
  it('changes nothing while no field is changed', () => {
    expect(changesOf(provider, draftOf(provider))).toEqual({});
  });

  it('sends changed members only, null for an emptied text, and a secret that was typed', () => {
    const values = { ...draftOf(provider), clientId: ' ', clientSecret: 'new', 'attributeMapping.groups': 'roles' };
    expect(changesOf(provider, values)).toEqual({
      clientId: null,
      clientSecret: 'new',
      attributeMapping: { email: 'email', name: 'name', groups: 'roles' },
    });
  });

  it('sends the day on which a secret expires as its beginning, and no day as null', () => {
    const stored = { ...provider, clientSecretExpiresAt: '2027-03-01T14:30:00.000Z' };
    const values = draftOf(stored);
    expect([values['clientSecretExpiresAt'], changesOf(stored, values)]).toEqual(['2027-03-01', {}]);
    expect(changesOf(stored, { ...values, clientSecretExpiresAt: '2028-03-01' })).toEqual({
      clientSecretExpiresAt: '2028-03-01T00:00:00Z',
    });
    expect(changesOf(stored, { ...values, clientSecretExpiresAt: '' })).toEqual({ clientSecretExpiresAt: null });
  });

  it('is read back from the members that it stands for', () => {
    const mfaEvidence: Provider['mfaEvidence'] = ['authnmethods'];
    const saml = { name: 'ADFS', type: 'saml', entityId: 'e', forceAuthn: true, mfaEvidence } as Provider;
    const values = draftOf(saml);
    expect(draftOf({ ...(bodyOf('saml', values) as Provider), type: 'saml' })).toEqual(values);
    expect(values).not.toHaveProperty('clientSecret');
  });

  it('sends the evidence of a second factor by kind, with values separated by commas', () => {
    const values = { ...draftOf(provider), 'mfaEvidence.acrs': true, 'mfaEvidenceValues.acrs': 'c1, c2,' };
    expect(changesOf(provider, values)).toEqual({
      mfaEvidence: ['amr', 'acrs'],
      mfaEvidenceValues: { acrs: ['c1', 'c2'] },
    });
  });

  it.each([
    [{ name: 'x', autoProvision: false, clientSecretExpiresAt: null }, null],
    [{ name: 'x', scopes: 'openid' }, 'attempts'],
    [{ clientSecret: 'x', issuer: 'https://other' }, 'links'],
  ])('of %j ends %s', (changes, ended) => {
    expect(endedBy(changes)).toBe(ended);
  });
});

const provider = {
  name: 'Entra',
  type: 'oidc',
  issuer: 'https://login.example',
  clientId: 'c',
  scopes: 'openid email',
  attributeMapping: { email: 'email', name: 'name' },
  autoProvision: true,
  defaultRoleId: null,
  allowedDomains: null,
  trustsIdpMfa: false,
  mfaEvidence: ['amr'],
  mfaEvidenceValues: {},
  subjectClaim: 'sub',
} as Provider;
