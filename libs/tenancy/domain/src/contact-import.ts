import { foldName, trimmed } from '@gatehouse/contracts-core';
import { CONTACT_ROLES, type ContactAnnotation, type ContactRole } from '@gatehouse/contracts-tenancy';

/** The members that identify a contact; at least one is required. */
export interface ContactIdentifiers {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly mobile: string | null;
}

const unlessBlank = (value: string | null | undefined): string | null => trimmed(value ?? '') || null;

type Texts<T> = { [K in keyof T]: T[K] };

const IDENTIFIERS = ['name', 'email', 'phone', 'mobile'] as const;
const TEXTS = [...IDENTIFIERS, 'title', 'notes'] as const;

/**
 * Blank members become null, and e-mail addresses lower case; other texts stay as they were sent, but for outer blanks.
 * Members that are not given are left out.
 */
export function normaliseContact<T extends Partial<Record<(typeof TEXTS)[number], string | null>>>(
  fields: T,
): Texts<T> {
  const given = TEXTS.filter((key) => fields[key] !== undefined).map((key) => [key, unlessBlank(fields[key])] as const);
  const clean = given.map(([key, text]) => [key, key === 'email' ? text?.toLowerCase() : text]);
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

/** A row that is valid on its own, in the organisation that it names. */
export interface ContactCandidate {
  readonly orgId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly externalId: string | null;
  readonly externalSystem: string | null;
}

export interface KnownContact extends ContactCandidate {
  readonly id: string;
  /** How many contacts of the organisation have its address, and its name: not all of them may be known. */
  readonly sameEmail?: number;
  readonly sameName?: number;
}

export interface Verdict {
  readonly annotation: Exclude<ContactAnnotation, 'org-not-found'>;
  readonly contactId: string | null;
  readonly conflictReason?: string;
  /** How many contacts an ambiguous row may be about. */
  readonly count?: number;
}

type Key = string;
const keyOf = (kind: string, ...parts: (string | null)[]): Key | null =>
  parts.some((part) => !part) ? null : JSON.stringify([kind, ...parts]);
const linkOf = ({ orgId, externalSystem, externalId }: ContactCandidate): Key | null =>
  keyOf('link', orgId, externalSystem, externalId);
const emailOf = ({ orgId, email }: ContactCandidate): Key | null => keyOf('email', orgId, email?.toLowerCase() ?? null);
const nameOf = ({ orgId, name }: ContactCandidate): Key | null => keyOf('name', orgId, name && foldName(name));

const conflict = (conflictReason: string, contactId: string | null = null): Verdict => ({
  annotation: 'conflict',
  contactId,
  conflictReason,
});

/**
 * Decides the outcome of each row of an import, and the contact that it matches. The most specific match wins: the id
 * in the source system, then the e-mail address, then the name. An ambiguous row is a conflict.
 */
export class ContactMatcher {
  private readonly known = new Map<Key, Set<string>>();
  private readonly counts = new Map<Key, number>();
  private readonly claimed = new Set<Key>();

  constructor(contacts: readonly KnownContact[]) {
    for (const contact of contacts) {
      const { id, sameEmail = 0, sameName = 0 } = contact;
      for (const [key, count] of [
        [linkOf(contact), 0],
        [emailOf(contact), sameEmail],
        [nameOf(contact), sameName],
      ] as const) {
        if (!key) continue;
        const ids = (this.known.get(key) ?? new Set()).add(id);
        this.known.set(key, ids);
        this.counts.set(key, Math.max(ids.size, count));
      }
    }
  }

  /** Judges rows in their order: a row that repeats an earlier one is a conflict. */
  judge(row: ContactCandidate): Verdict {
    const verdict = this.match(row);
    if (verdict.annotation === 'conflict') return verdict;
    const marks = this.marksOf(row, verdict);
    if (marks.some((mark) => this.claimed.has(mark))) return conflict('duplicate-row', verdict.contactId);
    for (const mark of marks) this.claimed.add(mark);
    return verdict;
  }

  /** Two people may share a name but not an address, so the name identifies a row only if it has no better key. */
  private marksOf(row: ContactCandidate, { contactId }: Verdict): Key[] {
    const [link, email] = [linkOf(row), emailOf(row)];
    const marks = [link, email, contactId, link || email ? null : nameOf(row)];
    return marks.filter((mark): mark is Key => mark !== null);
  }

  private match(row: ContactCandidate): Verdict {
    const [email, name] = [emailOf(row), nameOf(row)];
    const [byLink, byEmail] = [this.find(linkOf(row)), this.find(email)];
    if (byLink.length === 1) {
      const linked = byLink[0] as string;
      return byEmail.some((id) => id !== linked)
        ? conflict('email-of-another-contact', linked)
        : { annotation: 'link-match', contactId: linked };
    }
    if (byEmail.length > 0) return this.only(byEmail, 'email-match', email);
    const byName = this.find(name);
    return byName.length > 0 ? this.only(byName, 'name-match', name) : { annotation: 'create', contactId: null };
  }

  private find(key: Key | null): string[] {
    return key ? [...(this.known.get(key) ?? [])] : [];
  }

  private only(ids: readonly string[], annotation: 'email-match' | 'name-match', key: Key | null): Verdict {
    if (ids.length === 1) return { annotation, contactId: ids[0] as string };
    const reason = annotation === 'email-match' ? 'ambiguous-email' : 'ambiguous-name';
    return { ...conflict(reason), count: this.counts.get(key ?? '') ?? ids.length };
  }
}

export interface Acknowledgement {
  readonly expectedAnnotation?: ContactAnnotation | null;
  readonly expectedContactId?: string | null;
}

/**
 * Checks whether a commit may act on the verdict: the preview's verdict must still hold, and the user must have seen
 * a match by name alone.
 */
export function acknowledgementFault(
  { expectedAnnotation, expectedContactId }: Acknowledgement,
  { annotation, contactId }: Verdict,
): 'annotation-changed' | 'match-changed' | 'match-unconfirmed' | null {
  if (expectedAnnotation && expectedAnnotation !== annotation) return 'annotation-changed';
  if (expectedContactId !== undefined && expectedContactId !== contactId) return 'match-changed';
  if (annotation === 'name-match' && !(expectedAnnotation && expectedContactId)) return 'match-unconfirmed';
  return null;
}
