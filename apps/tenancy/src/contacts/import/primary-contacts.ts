import type { StoredContact } from './stored-contact.ts';

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
