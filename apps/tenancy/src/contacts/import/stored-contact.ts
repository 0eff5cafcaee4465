import type { ContactResponse, ContactRole } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import type { Placed } from './plan-import.ts';

/** The columns of a contact that an import writes. */
export interface StoredContact {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly mobile: string | null;
  readonly title: string | null;
  readonly roles: ContactRole[];
  readonly isPrimary: boolean;
  readonly notes: string | null;
  readonly externalSystem: string | null;
  readonly externalId: string | null;
}

export function newContact({ read, partnerId, orgId, siteId }: Placed): StoredContact {
  const { title = null, notes = null, roles = [], isPrimary = false, ...identifiers } = read.fields;
  const { externalId = null, externalSystem = null } = read.row;
  return {
    id: newId(),
    partnerId,
    orgId,
    siteId: siteId ?? null,
    ...identifiers,
    title,
    notes,
    roles,
    isPrimary,
    externalId,
    externalSystem,
  };
}

const STORED = [
  'siteId',
  'name',
  'email',
  'phone',
  'mobile',
  'title',
  'roles',
  'isPrimary',
  'notes',
  'externalSystem',
  'externalId',
] as const;

/**
 * The contact with the row's values. Members that the row omits or leaves blank stay, except that a primary contact is
 * not primary at another place. Null if nothing changes.
 */
export function changedContact(
  { read, partnerId, orgId, siteId }: Placed,
  contact: ContactResponse,
): StoredContact | null {
  const { externalId, externalSystem } = read.row;
  const values = { ...read.fields, siteId, ...(externalId && externalSystem && { externalId, externalSystem }) };
  const given = Object.fromEntries(
    Object.entries(values).filter(([member, value]) => value !== undefined && (value !== null || member === 'siteId')),
  );
  const { id, name, email, phone, mobile, title, roles, isPrimary, notes } = contact;
  const current = {
    siteId: contact.siteId,
    name,
    email,
    phone,
    mobile,
    title,
    roles,
    isPrimary,
    notes,
    externalSystem: contact.externalSystem,
    externalId: contact.externalId,
  };
  const isAtItsPlace = siteId === undefined || siteId === contact.siteId;
  const merged: StoredContact = {
    ...current,
    isPrimary: isPrimary && isAtItsPlace,
    ...given,
    id,
    partnerId,
    orgId,
  };
  return STORED.some((member) => JSON.stringify(merged[member]) !== JSON.stringify(current[member])) ? merged : null;
}

/** A contact with its place: its organisation, or one of its sites. */
export type PlacedContact = Pick<StoredContact, 'id' | 'orgId' | 'siteId'>;

const placeOf = ({ orgId, siteId }: PlacedContact): string => `${orgId} ${siteId ?? ''}`;

/** The contacts that the rows of an import make primary: at each place the last one (TEN-90). */
export class PrimaryContacts {
  private readonly byPlace = new Map<string, PlacedContact>();

  add(contact: PlacedContact): void {
    this.byPlace.set(placeOf(contact), contact);
  }

  get all(): readonly PlacedContact[] {
    return [...this.byPlace.values()];
  }

  /** The contact, primary no more if the import makes another one primary at its place. */
  settled(contact: StoredContact): StoredContact {
    const primary = this.byPlace.get(placeOf(contact));
    return primary ? { ...contact, isPrimary: primary.id === contact.id } : contact;
  }
}
