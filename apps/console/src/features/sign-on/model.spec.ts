import {
  domainState,
  faultsFor,
  filled,
  withOutcome,
  OTHERS,
  type Preset,
  providerFrom,
  settingsOf,
  unsavedIn,
} from './model.ts';

describe('connecting a provider', () => {
  it('fills the placeholders that are known and keeps the others', () => {
    expect(filled('https://{tenant-id}/{other}', { 'tenant-id': 'a' })).toBe('https://a/{other}');
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
    expect(provider).not.toHaveProperty('metadataUrl');
  });

  it('SSO-209: keeps the address of metadata, until they are read from a text', () => {
    const saml = preset({ type: 'saml', id: 'saml' });
    const saved = { entityId: 'e', metadataUrl: 'https://idp.example/metadata' };
    expect(providerFrom(saml, saved)).toMatchObject({ metadataUrl: 'https://idp.example/metadata' });
    expect(unsavedIn(saml, { values: { ...saved, metadataUrl: '' }, saved })).toEqual({ metadataUrl: null });
  });

  it('saves again what was typed since: nothing else is sent, and no secret that is stored already', () => {
    const entra = preset({ issuerTemplate: 'https://login.example/{tenant}/v2.0' });
    const saved = { tenant: 't1', clientId: 'c', clientSecret: 's' };
    expect(unsavedIn(entra, { values: saved })).toEqual(providerFrom(entra, saved));
    expect(unsavedIn(entra, { values: { ...saved, tenant: ' t2 ' }, saved })).toEqual({
      issuer: 'https://login.example/t2/v2.0',
    });
    expect(unsavedIn(entra, { values: { ...saved }, saved })).toEqual({});
  });

  it('takes a provider without a preset, each of whose settings is typed', () => {
    const [oidc, saml] = OTHERS as [Preset, Preset];
    expect(settingsOf(oidc)).toEqual(['name', 'issuer', 'clientId', 'clientSecret']);
    expect(settingsOf(saml)).toEqual(['name', 'entityId', 'ssoUrl', 'certificate']);
    expect(providerFrom(oidc, { name: 'Own', issuer: 'https://own' })).not.toHaveProperty('preset');
  });

  it('shows the fault of an address at the value that makes it', () => {
    const entra = preset({ issuerTemplate: 'https://{tenant}', placeholders: ['tenant'] });
    expect(faultsFor(entra, { issuer: 'wrong' })).toEqual({ issuer: 'wrong', tenant: 'wrong' });
    expect(faultsFor(preset({}), { issuer: 'wrong' })).toEqual({ issuer: 'wrong' });
  });
});

describe('what enforcement and domains are about', () => {
  it('tells people apart by what awaits them', () => {
    const users = (['stuck', 'signs_in'] as const).map((outcome) => ({
      userId: outcome,
      name: 'n',
      email: 'e',
      outcome,
      reasons: ['never_signed_in' as const],
    }));
    expect(withOutcome(users, 'stuck')).toEqual([{ id: 'stuck', name: 'n', email: 'e', reasons: ['never_signed_in'] }]);
  });

  it.each([
    [true, '2026-01-01T00:00:00Z', 'proven'],
    [false, null, 'unproven'],
    [false, '2026-01-01T00:00:00Z', 'refused'],
  ])('a domain that is verified: %s, last checked: %s, is %s', (verified, lastCheckedAt, state) => {
    expect(domainState({ verified, lastCheckedAt })).toBe(state);
  });
});

const preset = (members: Partial<Preset>) =>
  ({ id: 'entra', name: 'Entra ID', type: 'oidc', attributeMapping: {}, placeholders: [], ...members }) as Preset;
