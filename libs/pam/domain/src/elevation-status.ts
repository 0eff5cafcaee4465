import type { ElevationStatus } from '@gatehouse/contracts-pam';

interface Transition {
  readonly from: readonly ElevationStatus[];
  readonly to: ElevationStatus;
}

/** Statuses in which an elevation window is open. */
export const ACTIVE_STATUSES = ['approved', 'auto_approved', 'actuating'] as const satisfies readonly ElevationStatus[];

/**
 * The status machine (PAM-02; decisions, "out of actuating"). A request is moved only along
 * one
 * of these, by a compare-and-swap on `from`.
 */
export const TRANSITIONS = {
  approve: { from: ['pending'], to: 'approved' },
  deny: { from: ['pending'], to: 'denied' },
  actuate: { from: ['approved'], to: 'actuating' },
  /** The device failed, or said nothing in time: the approval stands again while its window lasts. */
  release: { from: ['actuating'], to: 'approved' },
  revoke: { from: ACTIVE_STATUSES, to: 'revoked' },
  lapse: { from: ['pending'], to: 'expired' },
  expire: { from: ACTIVE_STATUSES, to: 'expired' },
} as const satisfies Readonly<Record<string, Transition>>;

export type TransitionName = keyof typeof TRANSITIONS;

/** Whether the status can be left along this transition. */
export const allows = (transition: TransitionName, status: ElevationStatus): boolean =>
  (TRANSITIONS[transition].from as readonly ElevationStatus[]).includes(status);
