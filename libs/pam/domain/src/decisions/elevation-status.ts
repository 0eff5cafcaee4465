import type { ElevationStatus } from '@gatehouse/contracts-pam';

interface Transition {
  readonly from: readonly ElevationStatus[];
  readonly to: ElevationStatus;
}

/** Statuses with an active window. */
export const ACTIVE_STATUSES = ['approved', 'auto_approved', 'actuating'] as const satisfies readonly ElevationStatus[];

export const isActive = (status: ElevationStatus): boolean =>
  (ACTIVE_STATUSES as readonly ElevationStatus[]).includes(status);

/**
 * The status machine (PAM-02; decisions, "out of actuating"). A request changes status only along one of these
 * transitions, by a compare-and-swap on `from`.
 */
export const TRANSITIONS = {
  approve: { from: ['pending'], to: 'approved' },
  deny: { from: ['pending'], to: 'denied' },
  actuate: { from: ['approved'], to: 'actuating' },
  /** The device failed or did not answer in time: the approval becomes usable again while its window lasts. */
  release: { from: ['actuating'], to: 'approved' },
  revoke: { from: ACTIVE_STATUSES, to: 'revoked' },
  lapse: { from: ['pending'], to: 'expired' },
  expire: { from: ACTIVE_STATUSES, to: 'expired' },
} as const satisfies Readonly<Record<string, Transition>>;

export type TransitionName = keyof typeof TRANSITIONS;

/** Whether the transition may start from this status. */
export const allows = (transition: TransitionName, status: ElevationStatus): boolean =>
  (TRANSITIONS[transition].from as readonly ElevationStatus[]).includes(status);
