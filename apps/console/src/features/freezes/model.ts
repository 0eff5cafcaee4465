/** What the list can be narrowed to. */
export const STATES = ['active', 'past'] as const;

interface Ends {
  readonly liftedAt: string | null;
  readonly expiresAt: string | null;
}

/** Whether a freeze is in force, was lifted by a person, or has ended by itself. */
export function stateOf({ liftedAt, expiresAt }: Ends, now: number): 'active' | 'lifted' | 'expired' {
  if (liftedAt !== null) return 'lifted';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
