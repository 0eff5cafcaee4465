import type { AttributeMappingDto } from '@gatehouse/contracts-identity';
import { domainOf, foldAscii, foldEmail, isAddressLike } from '../accepted-input.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** A user's claims from an identity provider, under our own names. */
export interface Identity {
  readonly externalId: string;
  /** The address in the form that accounts hold. */
  readonly email: string;
  readonly emailDomain: string | null;
  /** undefined when the provider sent no such claim. */
  readonly emailVerified: boolean | undefined;
  readonly name: string;
  readonly groups: readonly string[];
}

const MAX_SUBJECT = 255;
const MAX_NAME = 255;
const isControl = (character: string): boolean => character < ' ' || character === '\u007f';

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? (value as unknown[])[0] : value;
  return typeof text === 'string'
    ? [...text]
        .filter((character) => !isControl(character))
        .join('')
        .toWellFormed()
        .trim()
    : '';
}

function nameOf(claims: Claims, mapping: AttributeMappingDto, email: string): string {
  const read = (key: string | undefined): string => (key ? textOf(claims[key]) : '');
  const composed = `${read(mapping.firstName)} ${read(mapping.lastName)}`.trim();
  return [...(read(mapping.name) || composed || email)].slice(0, MAX_NAME).join('');
}

function groupsOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((group): group is string => typeof group === 'string' && group !== '');
}

/** Providers send a boolean, its name in any case, or 1. */
export const isTrue = (value: unknown): boolean =>
  ['boolean', 'string', 'number'].includes(typeof value) && /^(?:true|1)$/i.test(String(value).trim());
/** Null and the empty text stand for a claim that was not sent. */
export const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Every claim; of several documents the last one that says something wins (userinfo over the ID token). */
export function mergedClaims(documents: readonly Claims[]): Claims {
  const said = documents.flatMap((document) => Object.entries(document)).filter(([, value]) => isSaid(value));
  return Object.assign({}, ...documents, Object.fromEntries(said)) as Claims;
}

/**
 * `email_verified` applies to the `email` claim, of the same document if it has one, and not to another claim that the
 * mapping may select.
 */
function verificationOf(documents: readonly Claims[], address: string, selected: string): boolean | undefined {
  const said = documents.filter((document) => isSaid(document['email_verified']));
  if (said.some((document) => !isTrue(document['email_verified']))) return false;
  const speaksOfIt = said.some(({ email }) =>
    isSaid(email) ? typeof email === 'string' && foldEmail(email) === address : selected === 'email',
  );
  return speaksOfIt ? true : undefined;
}

/**
 * PostgreSQL rejects NUL, and encoding replaces every unpaired surrogate by the same character, so two different
 * subjects could become equal.
 */
export const isSubject = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= MAX_SUBJECT &&
  !value.includes('\0') &&
  value.isWellFormed();

/**
 * Maps a provider's documents to an identity.
 * @returns null when there is no usable subject or address
 */
export function mapClaims(documents: readonly Claims[], mapping: AttributeMappingDto): Identity | null {
  const claims = mergedClaims(documents);
  const externalId = claims['sub'];
  const address = claims[mapping.email];
  if (!isSubject(externalId) || !isAddressLike(address)) return null;
  const email = foldEmail(address);
  return {
    externalId,
    email,
    emailDomain: domainOf(email),
    emailVerified: verificationOf(documents, email, mapping.email),
    name: nameOf(claims, mapping, email),
    groups: mapping.groups ? groupsOf(claims[mapping.groups]) : [],
  };
}

/**
 * Returns the subject that a NameID of the format emailAddress denotes. Two links that differ only in letter case
 * belong to two users: only an exact match selects one of them.
 * @param linked the provider's linked subjects that equal the NameID when letter case is ignored
 * @returns null when several subjects match and none of them exactly
 */
export function chooseSubject(nameId: string, linked: readonly string[]): string | null {
  if (linked.includes(nameId)) return nameId;
  const [only = foldAscii(nameId)] = linked;
  return linked.length > 1 ? null : only;
}
