import type { Draw, Kind } from './draw.ts';

type Json = Record<string, unknown>;

/** How an attacker calls a route. */
export interface Attempt {
  /** As the contract spells it, such as `PATCH /users/{id}`. */
  readonly route: string;
  /** The kinds of the ids in the address's parameters. */
  readonly params: Readonly<Record<string, Kind>>;
  readonly body?: (draw: Draw) => Json | undefined;
  readonly query?: (draw: Draw) => string;
  /** The kind of resource that a success creates; its id becomes known to the attackers. */
  readonly makes?: Kind;
  /** How often a round tries it, compared with the others. */
  readonly times: number;
  /** The address names only the source; the target in the body decides which place is changed. */
  readonly objectIsSource?: boolean;
  /** For a caller who is confined to sites, the route acts at these sites of the organisation that the body names. */
  readonly keepsToSites?: boolean;
}

type Options = Partial<Pick<Attempt, 'query' | 'makes' | 'times' | 'objectIsSource' | 'keepsToSites'>>;

/** A row of a table of attempts. */
export const attempt = (
  route: string,
  params: Attempt['params'],
  body?: Attempt['body'],
  options: Options = {},
): Attempt => ({ route, params, body, times: 1, ...options });
