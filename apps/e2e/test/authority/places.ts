import { covers, type Permission } from '@gatehouse/contracts-core';

/** `system`, or the id of a partner, an organisation or a site. */
export type Place = string;
export const EVERYWHERE: Place = 'system';

/** What a session may do, and where. */
export interface Authority {
  readonly permissions: readonly Permission[];
  readonly reach: readonly Place[];
}

/** The hierarchy of places; grows as places are created. */
export class Geography {
  private readonly parents = new Map<Place, Set<Place>>();

  add(place: Place, parent: Place): void {
    this.parents.set(place, (this.parents.get(place) ?? new Set()).add(parent));
  }

  knows(place: Place): boolean {
    return this.parents.has(place);
  }

  /** Whether a place is one of the held ones or lies below one. */
  within(place: Place, held: ReadonlySet<Place>): boolean {
    return (
      held.has(EVERYWHERE) ||
      held.has(place) ||
      [...(this.parents.get(place) ?? [])].some((parent) => this.within(parent, held))
    );
  }

  /** Whether a held place lies within the place: a site-confined user also sees the organisation around the site. */
  around(place: Place, held: ReadonlySet<Place>): boolean {
    return [...held].some((each) => this.within(each, new Set([place])));
  }
}

/** The places where at least one of the authorities holds the permission. */
export const placesOf = (authorities: readonly Authority[], permission: Permission): Set<Place> =>
  new Set(
    authorities.filter(({ permissions }) => covers(new Set(permissions), permission)).flatMap(({ reach }) => reach),
  );

/** The authority of a session beyond all that was held before, each as `permission @ place`. */
export function gains(geography: Geography, before: readonly Authority[], { permissions, reach }: Authority): string[] {
  return permissions.flatMap((permission) => {
    const held = placesOf(before, permission);
    return reach.filter((place) => !geography.within(place, held)).map((place) => `${permission} @ ${place}`);
  });
}
