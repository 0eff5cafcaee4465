import type { AttributeMappingDto } from '@gatehouse/contracts-identity';
import type { Claims } from './claim-mapping.ts';
import { foldAscii } from '../accepted-input.ts';
import type { Authentication } from './mfa-trust.ts';

export const EMAIL_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

type Field = keyof AttributeMappingDto;

/** SSO-15: the well-known attributes and the fields that they map to. */
export const SAML_ATTRIBUTES: Readonly<Record<string, Field>> = {
  [`${CLAIMS}/emailaddress`]: 'email',
  [`${CLAIMS}/name`]: 'name',
  [`${CLAIMS}/givenname`]: 'firstName',
  [`${CLAIMS}/surname`]: 'lastName',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups': 'groups',
  'urn:oid:0.9.2342.19200300.100.1.3': 'email',
  'urn:oid:2.5.4.42': 'firstName',
  'urn:oid:2.5.4.4': 'lastName',
  'urn:oid:2.16.840.1.113730.3.1.241': 'name',
};

const FIELDS: readonly Field[] = ['email', 'name', 'firstName', 'lastName', 'groups'];

export type SamlAttribute = readonly [name: string, values: readonly string[], friendlyName?: string];

export interface SamlSubject {
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  /** The provider's identifier of the session that it opened. */
  readonly sessionIndex: string | null;
  readonly attributes: readonly SamlAttribute[];
  /** The classes of the authentication contexts. */
  readonly authnContexts?: readonly string[];
}

const single = (values: readonly string[] | undefined): string | readonly string[] | undefined =>
  values?.length === 1 ? values[0] : values;

/** The formats whose NameID may be an address or a login name, which often is one; in other formats it is opaque. */
const MAY_BE_ADDRESS: ReadonlySet<string | null> = new Set([
  EMAIL_NAME_ID,
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  null,
]);

/** Changes at each sign-in (SAML core 8.3.8), so it cannot identify a returning user. */
const TRANSIENT_NAME_ID = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Groups values by attribute name; attributes of one name are merged, and empty values are dropped. */
function valuesByName(attributes: SamlSubject['attributes']): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, readonly string[]>();
  for (const [name, values] of attributes) given.set(name, [...(given.get(name) ?? []), ...values.filter(Boolean)]);
  return new Map([...given].filter(([, values]) => values.length > 0));
}

const FRIENDLY = 'friendly:';

/**
 * @returns the values of the attribute that a mapping names by its FriendlyName
 * @throws Error when two attributes have that FriendlyName
 */
function friendlyValues(
  attributes: SamlSubject['attributes'],
  mapped: string | undefined,
): readonly string[] | undefined {
  if (!mapped?.startsWith(FRIENDLY)) return undefined;
  const found = attributes.filter(([, , friendlyName]) => friendlyName === mapped.slice(FRIENDLY.length));
  if (found.length > 1) throw new Error(`${found.length} attributes have the FriendlyName of ${mapped}`);
  const values = found[0]?.[1].filter(Boolean);
  return values?.length ? values : undefined;
}

const AUTHN_METHODS = 'http://schemas.microsoft.com/claims/authnmethodsreferences';

/** What the signed assertion says about how the user signed in. */
export const samlAuthentication = ({ attributes, authnContexts = [] }: SamlSubject): Authentication => ({
  authnmethods: attributes.flatMap(([name, values]) => (name === AUTHN_METHODS ? values : [])),
  authncontext: authnContexts,
});

/**
 * Converts a SAML subject to claims under our own field names. Mapped attributes take precedence over the well-known
 * ones, and a NameID that is an address replaces a missing one. The first of several addresses is used; it also becomes
 * the subject when the NameID is transient.
 * @throws Error when a mapping by FriendlyName is ambiguous
 */
export function samlClaims({ nameId, nameIdFormat, attributes }: SamlSubject, mapping: AttributeMappingDto): Claims {
  const given = valuesByName(attributes);
  const wellKnown = (field: Field): readonly string[] | undefined =>
    [...given].find(([name]) => SAML_ATTRIBUTES[name] === field)?.[1];
  const read = (field: Field): readonly string[] | undefined =>
    friendlyValues(attributes, mapping[field]) ?? given.get(mapping[field] ?? field) ?? wellKnown(field);
  const fields = FIELDS.map((field) => [field, single(read(field))] as const);
  const address = read('email')?.[0] ?? (MAY_BE_ADDRESS.has(nameIdFormat) ? nameId : undefined);
  return {
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    ...(address !== undefined && { email: address }),
    sub: nameIdFormat === TRANSIENT_NAME_ID ? foldAscii(address ?? '') : nameId,
  };
}

/** The mapping that reads {@link samlClaims}. */
export const SAML_CLAIM_MAPPING: AttributeMappingDto = {
  email: 'email',
  name: 'name',
  firstName: 'firstName',
  lastName: 'lastName',
  groups: 'groups',
};
