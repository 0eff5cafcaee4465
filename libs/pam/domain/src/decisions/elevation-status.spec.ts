import { ELEVATION_STATUSES, type ElevationStatus } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { allows, TRANSITIONS, type TransitionName } from './elevation-status.ts';

describe('the status machine', () => {
  it.each(Object.keys(TRANSITIONS) as TransitionName[])(
    'allows %s from the statuses that the spec names, and from no other',
    (name) => {
      expect(ELEVATION_STATUSES.filter((status) => allows(name, status)).toSorted()).toEqual(LEGAL[name].toSorted());
    },
  );

  it('never leaves denied, expired or revoked', () => {
    const final = ['denied', 'expired', 'revoked'] as const;
    expect(
      final.flatMap((status) => Object.keys(TRANSITIONS).filter((name) => allows(name as TransitionName, status))),
    ).toEqual([]);
  });
});

const LEGAL: Readonly<Record<TransitionName, readonly ElevationStatus[]>> = {
  approve: ['pending'],
  deny: ['pending'],
  actuate: ['approved'],
  release: ['actuating'],
  revoke: ['approved', 'auto_approved', 'actuating'],
  lapse: ['pending'],
  expire: ['approved', 'auto_approved', 'actuating'],
};
