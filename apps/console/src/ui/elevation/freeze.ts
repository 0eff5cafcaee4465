import { type BodyOf, ok } from '@gatehouse/client';
import { api } from '../../api/client.ts';

export type FreezeTarget = Pick<BodyOf<'/pam/freezes', 'post'>, 'level' | 'targetId'>;
export const MODES = ['lockdown', 'hold'] as const;
/** How long a freeze lasts, in hours; `none` is until it is lifted. */
export const DURATIONS = ['1', '4', '24', '72', '168', '720', 'none'] as const;
export const USUAL_DURATION = '24';
export const FREEZE_CHANGES = ['freezes', 'approvals', 'active', 'requests'];

const HOUR_MS = 3_600_000;
/** The server allows 30 days from its own clock: the call takes a moment. */
const MARGIN_MS = 60_000;

/** When a freeze of this duration ends; null for never. */
export function expiryOf(duration: string, now: number): string | null {
  if (duration === 'none') return null;
  return new Date(now + Number(duration) * HOUR_MS - MARGIN_MS).toISOString();
}

export const createFreeze = (body: BodyOf<'/pam/freezes', 'post'>) => ok(api.POST('/pam/freezes', { body }));

interface Strength {
  readonly mode: string;
  readonly expiresAt: string | null;
}

const endOf = ({ expiresAt }: Strength): number => (expiresAt === null ? Infinity : Date.parse(expiresAt));
const rankOf = ({ mode }: Strength): number => (mode === 'lockdown' ? 0 : 1);

/** Freezes stack: a lockdown holds before others, then the one that ends last. */
export function strongestFirst(one: Strength, other: Strength): number {
  const rank = rankOf(one) - rankOf(other);
  if (rank !== 0) return rank;
  return endOf(one) === endOf(other) ? 0 : endOf(other) - endOf(one);
}
