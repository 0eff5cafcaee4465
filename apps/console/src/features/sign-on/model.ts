import type { BodyOf, DataOf } from '@gatehouse/client';

export type Provider = DataOf<'/sso/providers', 'get'>['data'][number];
export type Preset = DataOf<'/sso/presets', 'get'>['data'][number];
export type NewProvider = BodyOf<'/sso/providers', 'post'>;

/** The steps of connecting a provider, in their order. */
export const STEPS = ['choose', 'settings', 'test', 'people'] as const;

/** Fills the placeholders of a template, such as `{tenant}`; what is not known stays. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name]?.trim() || whole);

type Texts = Readonly<Record<string, string>>;

/** An address from a template of the preset, or as it was typed. */
const addressFrom = (template: string | undefined, typed: string | undefined, values: Texts): string =>
  template ? filled(template, values) : (typed ?? '').trim();

const oidcFrom = ({ issuerTemplate, scopes }: Preset, values: Texts) => ({
  issuer: addressFrom(issuerTemplate, values['issuer'], values),
  clientId: values['clientId'] ?? '',
  clientSecret: values['clientSecret'] ?? '',
  ...(scopes && { scopes }),
});

const samlFrom = ({ ssoUrlTemplate }: Preset, values: Texts) => ({
  entityId: (values['entityId'] ?? '').trim(),
  ssoUrl: addressFrom(ssoUrlTemplate, values['ssoUrl'], values),
  certificate: values['certificate'] ?? '',
});

/** The provider that a preset and the values for its placeholders describe. */
export function providerFrom(preset: Preset, values: Texts): NewProvider {
  const { id, type, attributeMapping } = preset;
  const name = values['name']?.trim() || preset.name;
  const settings = type === 'oidc' ? oidcFrom(preset, values) : samlFrom(preset, values);
  return { name, type, preset: id, attributeMapping, ...settings };
}

/** Why a sign-in was refused, as the sign-in page names it; `sso_error` for what is not known here. */
const REJECTIONS = [
  'session_expired',
  'domain_not_allowed',
  'user_not_found',
  'default_role_required',
  'no_org_access',
  'sso_error',
  'email_unverified',
  'identity_conflict',
  'provider_changed',
  'invite_required',
  'no_partner_access',
  'link_required',
] as const;

export const rejectionOf = (code: unknown): (typeof REJECTIONS)[number] =>
  REJECTIONS.find((one) => one === code) ?? 'sso_error';
