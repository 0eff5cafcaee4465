import { CONTACT_ROLES, type ContactRole } from '@gatehouse/contracts-tenancy';

/** The members that identify a contact; at least one is required. */
export interface ContactIdentifiers {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly mobile: string | null;
}

const unlessBlank = (value: string | null | undefined): string | null => value?.trim() || null;
const addressOf = (value: string | null | undefined): string | null => value?.trim().toLowerCase() || null;

type Texts<T> = { [K in keyof T]: T[K] };

const IDENTIFIERS = ['name', 'email', 'phone', 'mobile'] as const;

/**
 * Blank members become null, and e-mail addresses lower case; other texts stay as they were sent, but for outer blanks.
 * Members that are not given are left out.
 */
export function normaliseContact<T extends Partial<Record<keyof ContactIdentifiers, string | null>>>(
  fields: T,
): Texts<T> {
  const given = IDENTIFIERS.filter((key) => fields[key] !== undefined);
  const clean = given.map((key) => [key, key === 'email' ? addressOf(fields.email) : unlessBlank(fields[key])]);
  return { ...fields, ...Object.fromEntries(clean) };
}

/** TEN-20. */
export const hasIdentifier = (contact: Partial<ContactIdentifiers>): boolean =>
  IDENTIFIERS.some((key) => unlessBlank(contact[key]) !== null);

const isRole = (role: string): role is ContactRole => CONTACT_ROLES.some((known) => known === role);

/** Returns the distinct roles, or the first unknown role (TEN-21). */
export function checkRoles(roles: readonly string[]): { roles: ContactRole[] } | { unknown: string } {
  const unknown = roles.find((role) => !isRole(role));
  return unknown === undefined ? { roles: [...new Set(roles.filter(isRole))] } : { unknown };
}
