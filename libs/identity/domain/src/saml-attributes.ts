import type { AttributeMappingDto } from '@gatehouse/contracts-identity';
import type { Claims } from './claim-mapping.ts';
import { foldAscii } from './email-address.ts';

export const EMAIL_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

type Field = keyof AttributeMappingDto;

/** SSO-15: the attributes that mean the same everywhere. */
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

export interface SamlSubject {
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  /** The provider's name for the session that it opened. */
  readonly sessionIndex: string | null;
  readonly attributes: readonly (readonly [name: string, values: readonly string[]])[];
}

const single = (values: readonly string[] | undefined): string | readonly string[] | undefined =>
  values?.length === 1 ? values[0] : values;

/** An address, or the name that people sign in with, which often is one; other formats are made up to mean nothing. */
const MAY_BE_ADDRESS: ReadonlySet<string | null> = new Set([
  EMAIL_NAME_ID,
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  null,
]);

/** Another one at each sign-in (SAML core 8.3.8): nobody is known again by it. */
const TRANSIENT_NAME_ID = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Values by name; one that comes in several parts is one, and an empty value is none. */
function valuesByName(attributes: SamlSubject['attributes']): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, readonly string[]>();
  for (const [name, values] of attributes) given.set(name, [...(given.get(name) ?? []), ...values.filter(Boolean)]);
  return new Map([...given].filter(([, values]) => values.length > 0));
}

/**
 * A SAML subject as claims under our own field names: what the mapping names comes first, then the well-known
 * attributes,
 * and a NameID that is an address stands in for a missing one. Of several addresses the first is the person's main one;
 * it
 * is also the subject where the NameID is made for one sign-in only.
 */
export function samlClaims({ nameId, nameIdFormat, attributes }: SamlSubject, mapping: AttributeMappingDto): Claims {
  const given = valuesByName(attributes);
  const wellKnown = (field: Field): readonly string[] | undefined =>
    [...given].find(([name]) => SAML_ATTRIBUTES[name] === field)?.[1];
  const read = (field: Field): readonly string[] | undefined => given.get(mapping[field] ?? field) ?? wellKnown(field);
  const fields = FIELDS.map((field) => [field, single(read(field))] as const);
  const address = read('email')?.[0] ?? (MAY_BE_ADDRESS.has(nameIdFormat) ? nameId : undefined);
  return {
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    ...(address !== undefined && { email: address }),
    sub: nameIdFormat === TRANSIENT_NAME_ID ? foldAscii(address ?? '') : nameId,
  };
}

/** The mapping under which {@link samlClaims} are read. */
export const SAML_CLAIM_MAPPING: AttributeMappingDto = {
  email: 'email',
  name: 'name',
  firstName: 'firstName',
  lastName: 'lastName',
  groups: 'groups',
};
