import type { Draw, Kind } from './draw.ts';

type Json = Record<string, unknown>;

/** How an attacker calls a route. */
export interface Attempt {
  /** As the contract spells it, such as `PATCH /users/{id}`. */
  readonly route: string;
  /** What the parameters of the address name. */
  readonly params: Readonly<Record<string, Kind>>;
  readonly body?: (draw: Draw) => Json | undefined;
  readonly query?: (draw: Draw) => string;
  /** What a success makes; its id becomes known to the attackers. */
  readonly makes?: Kind;
  /** How often it is tried in a round, compared with the others. */
  readonly times: number;
  /** Names its object only to say where it comes from; the target in the body decides what may be changed. */
  readonly objectIsSource?: boolean;
}

type Options = Partial<Pick<Attempt, 'query' | 'makes' | 'times' | 'objectIsSource'>>;

/** A row of a table of attempts. */
export const attempt = (
  route: string,
  params: Attempt['params'],
  body?: Attempt['body'],
  options: Options = {},
): Attempt => ({ route, params, body, times: 1, ...options });
