import { covers, type Permission } from '@gatehouse/contracts-core';

/** `system`, or the id of a partner, an organisation or a site. */
export type Place = string;
export const EVERYWHERE: Place = 'system';

/** What a session may do, and where. */
export interface Authority {
  readonly permissions: readonly Permission[];
  readonly reach: readonly Place[];
}

/** Which place lies in which; grows as places are made. */
export class Geography {
  private readonly parents = new Map<Place, Set<Place>>();

  add(place: Place, parent: Place): void {
    this.parents.set(place, (this.parents.get(place) ?? new Set()).add(parent));
  }

  knows(place: Place): boolean {
    return this.parents.has(place);
  }

  /** Whether a place is one of those held, or lies below one of them. */
  within(place: Place, held: ReadonlySet<Place>): boolean {
    return (
      held.has(EVERYWHERE) ||
      held.has(place) ||
      [...(this.parents.get(place) ?? [])].some((parent) => this.within(parent, held))
    );
  }

  /** Whether something held lies in the place: a person of one site also sees the organisation around it. */
  around(place: Place, held: ReadonlySet<Place>): boolean {
    return [...held].some((each) => this.within(each, new Set([place])));
  }
}

/** The places where any of them holds the permission. */
export const placesOf = (authorities: readonly Authority[], permission: Permission): Set<Place> =>
  new Set(
    authorities.filter(({ permissions }) => covers(new Set(permissions), permission)).flatMap(({ reach }) => reach),
  );

/** What a session holds beyond all that was held before: each as `permission @ place`. */
export function gains(geography: Geography, before: readonly Authority[], { permissions, reach }: Authority): string[] {
  return permissions.flatMap((permission) => {
    const held = placesOf(before, permission);
    return reach.filter((place) => !geography.within(place, held)).map((place) => `${permission} @ ${place}`);
  });
}
