import { namesOf } from '@gatehouse/contracts-core';
import { ContactDetailsDto, type ContactResponse } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import type { ContactEntity } from '../contacts.repository.ts';
import type { ReadRow } from './read-rows.ts';

export interface Placed {
  readonly index: number;
  readonly read: ReadRow;
  readonly orgId: string;
  readonly partnerId: string;
  /** Undefined if the row names no site. */
  readonly siteId: string | null | undefined;
}

/** The columns of a contact that an import compares, and writes when one differs. */
export const COMPARED = [
  'siteId',
  ...namesOf(ContactDetailsDto),
  'isPrimary',
  'externalSystem',
  'externalId',
] as const satisfies readonly (keyof ContactResponse)[];

/** The columns of a contact that an import writes. */
export type StoredContact = Readonly<Pick<ContactEntity, (typeof COMPARED)[number] | 'id' | 'partnerId' | 'orgId'>>;

const EMPTY = {
  ...(Object.fromEntries(COMPARED.map((member) => [member, null])) as Record<(typeof COMPARED)[number], null>),
  roles: [],
  isPrimary: false,
};

export function newContact({ read, partnerId, orgId, siteId = null }: Placed): StoredContact {
  const { externalId = null, externalSystem = null } = read.row;
  const given = Object.entries(read.fields).filter(([, value]) => value !== undefined);
  return {
    ...EMPTY,
    ...Object.fromEntries(given),
    id: newId(),
    partnerId,
    orgId,
    siteId,
    externalId,
    externalSystem,
  };
}

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
  const current = Object.fromEntries(COMPARED.map((member) => [member, contact[member]])) as Pick<
    ContactResponse,
    (typeof COMPARED)[number]
  >;
  const isAtItsPlace = siteId === undefined || siteId === contact.siteId;
  const merged: StoredContact = {
    ...current,
    isPrimary: contact.isPrimary && isAtItsPlace,
    ...given,
    id: contact.id,
    partnerId,
    orgId,
  };
  return COMPARED.some((member) => JSON.stringify(merged[member]) !== JSON.stringify(current[member])) ? merged : null;
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
