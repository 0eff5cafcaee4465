import { bodyOf, changesOf, draftOf, endedBy } from './draft.ts';
import type { Provider } from './model.ts';

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
} as Provider;

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

  it('is read back from the members that it stands for', () => {
    const saml = { name: 'ADFS', type: 'saml', entityId: 'e', forceAuthn: true } as Provider;
    const values = draftOf(saml);
    expect(draftOf({ ...(bodyOf('saml', values) as Provider), type: 'saml' })).toEqual(values);
    expect(values).not.toHaveProperty('clientSecret');
  });

  it.each([
    [{ name: 'x', autoProvision: false }, null],
    [{ name: 'x', scopes: 'openid' }, 'attempts'],
    [{ clientSecret: 'x', issuer: 'https://other' }, 'links'],
  ])('of %j ends %s', (changes, ended) => {
    expect(endedBy(changes)).toBe(ended);
  });
});
