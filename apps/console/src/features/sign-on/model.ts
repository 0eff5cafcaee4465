import type { BodyOf, DataOf } from '@gatehouse/client';

export type Provider = DataOf<'/sso/providers', 'get'>['data'][number];
export type Preset = DataOf<'/sso/presets', 'get'>['data'][number];
export type Domain = DataOf<'/sso/domains', 'get'>['data'][number];
export type Outlook = DataOf<'/sso/providers/{id}/enforcement-preview', 'get'>['data'];
export type NewProvider = BodyOf<'/sso/providers', 'post'>;

/** The steps of connecting a provider, in their order. */
export const STEPS = ['choose', 'settings', 'test', 'people'] as const;

/** Fills the placeholders of a template, such as `{tenant}`; what is not known stays. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{([\w-]+)\}/g, (whole, name: string) => values[name]?.trim() || whole);

/** Providers that no preset of the API knows, by protocol: each of their settings is typed. */
export const OTHERS: readonly Preset[] = (['oidc', 'saml'] as const).map((type) => ({
  id: `other-${type}`,
  name: '',
  type,
  attributeMapping: { email: 'email', name: 'name' },
  mfaEvidence: ['amr'],
  placeholders: [],
  instructions: '',
  steps: [],
}));
const isOther = ({ id }: Preset): boolean => OTHERS.some((other) => other.id === id);

/** The settings that a preset leaves open. */
export const settingsOf = ({ type, issuerTemplate, ssoUrlTemplate, placeholders }: Preset): readonly string[] =>
  type === 'oidc'
    ? ['name', ...placeholders, ...(issuerTemplate ? [] : ['issuer']), 'clientId', 'clientSecret']
    : ['name', ...placeholders, 'entityId', ...(ssoUrlTemplate ? [] : ['ssoUrl']), 'certificate'];

/** Faults of an address that a template makes stand at the first value that goes into it. */
export function faultsFor(preset: Preset, faults: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const address = preset.type === 'oidc' ? 'issuer' : 'ssoUrl';
  const [first] = preset.placeholders;
  const fault = faults[address];
  return first !== undefined && fault !== undefined ? { ...faults, [first]: fault } : faults;
}

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

/** Metadata that were read name the address themselves. */
const samlFrom = ({ ssoUrlTemplate }: Preset, values: Texts) => ({
  entityId: (values['entityId'] ?? '').trim(),
  ssoUrl: values['ssoUrl']?.trim() || addressFrom(ssoUrlTemplate, '', values),
  certificate: values['certificate'] ?? '',
  ...(values['metadataUrl'] !== undefined && { metadataUrl: values['metadataUrl'] || null }),
});

/** The provider that a preset and the values for its placeholders describe. */
export function providerFrom(preset: Preset, values: Texts): NewProvider {
  const { id, type, attributeMapping } = preset;
  const name = values['name']?.trim() || preset.name;
  const settings = type === 'oidc' ? oidcFrom(preset, values) : samlFrom(preset, values);
  return { name, type, ...(!isOther(preset) && { preset: id }), attributeMapping, ...settings };
}

/** What was typed for a new provider, and of it what was saved last. */
export interface Typed {
  readonly values: Texts;
  readonly saved?: Texts;
}

/** The members that differ from what was saved last: all of them before the provider exists. */
export function unsavedIn(preset: Preset, { values, saved }: Typed): Partial<NewProvider> {
  const before: Readonly<Record<string, unknown>> = saved ? providerFrom(preset, saved) : {};
  const after = Object.entries(providerFrom(preset, values));
  return Object.fromEntries(after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}

export type Stage = Provider['enforcement']['stage'];
type Governed = Outlook['users'][number];

/** What may await a person under enforcement, the gravest first. */
export const OUTCOMES = ['stuck', 'proves_account', 'links_at_first_sign_in', 'signs_in'] as const;

/** The stages that an administrator may choose next. */
export const NEXT_STAGES: Readonly<Record<Stage, readonly Stage[]>> = {
  off: ['observe', 'warn', 'enforce'],
  observe: ['off', 'warn', 'enforce'],
  warn: ['off', 'warn', 'enforce'],
  enforce: ['off'],
};

/** People by what awaits each of them under enforcement. */
export const withOutcome = (
  users: readonly Pick<Governed, 'userId' | 'name' | 'email' | 'outcome' | 'reasons'>[],
  outcome: Governed['outcome'],
) =>
  users
    .filter((user) => user.outcome === outcome)
    .map(({ userId: id, name, email, reasons }) => ({ id, name, email, reasons }));

/** A domain whose record was looked for and is not there is refused, until it is found. */
export function domainState({ verified, lastCheckedAt }: Pick<Domain, 'verified' | 'lastCheckedAt'>) {
  if (verified) return 'proven' as const;
  return lastCheckedAt === null ? ('unproven' as const) : ('refused' as const);
}
