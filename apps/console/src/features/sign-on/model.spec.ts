import { filled, type Preset, providerFrom } from './model.ts';

const preset = (members: Partial<Preset>) =>
  ({ id: 'entra', name: 'Entra ID', type: 'oidc', attributeMapping: {}, placeholders: [], ...members }) as Preset;

describe('connecting a provider', () => {
  it('fills the placeholders that are known and keeps the others', () => {
    expect(filled('https://{tenant}/{other}', { tenant: 'a' })).toBe('https://a/{other}');
  });

  it('makes an OpenID Connect provider of a preset and its values', () => {
    const entra = preset({ issuerTemplate: 'https://login.example/{tenant}/v2.0', scopes: 'openid email' });
    const values = { tenant: 't1', clientId: 'c', clientSecret: 's' };
    expect(providerFrom(entra, values)).toMatchObject({
      name: 'Entra ID',
      issuer: 'https://login.example/t1/v2.0',
      clientId: 'c',
      clientSecret: 's',
      scopes: 'openid email',
    });
  });

  it('makes a SAML provider without client credentials', () => {
    const values = { name: 'ADFS', entityId: 'e', ssoUrl: 'https://sso', certificate: 'PEM' };
    const provider = providerFrom(preset({ type: 'saml', id: 'saml' }), values);
    expect(provider).toMatchObject({ name: 'ADFS', entityId: 'e', ssoUrl: 'https://sso', certificate: 'PEM' });
    expect(provider).not.toHaveProperty('clientSecret');
  });
});
