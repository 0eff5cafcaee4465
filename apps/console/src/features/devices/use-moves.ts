import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inParallel } from '../../api/many.ts';
import { type Device, moveDevice, type MovedDevice } from './queries.ts';

/** What became of the move of one device. */
export interface MoveResult {
  readonly consequences?: MovedDevice['consequences'];
  readonly error?: unknown;
}

export interface Destination {
  readonly orgId: string;
  readonly siteId: string;
}

type Results = ReadonlyMap<string, MoveResult>;

/** Moves devices, eight at a time, and tells for each what became of it as soon as it is known. */
export function useMoves() {
  const queryClient = useQueryClient();
  const [results, setResults] = useState<Results>(new Map());
  const [isRunning, setRunning] = useState(false);
  const note = (id: string, result: MoveResult) => setResults((before) => new Map(before).set(id, result));
  const moveOne =
    ({ siteId, orgId }: Destination) =>
    (id: string) =>
      moveDevice(id, siteId, orgId).then(
        ({ consequences }) => note(id, { consequences }),
        (error: unknown) => note(id, { error }),
      );
  const run = async (devices: readonly Device[], destination: Destination) => {
    setRunning(true);
    const ids = devices.map(({ id }) => id);
    setResults((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
    await inParallel(ids, moveOne(destination));
    setRunning(false);
    await queryClient.invalidateQueries({ queryKey: ['devices'] });
  };
  return { results, isRunning, run };
}

export type Moves = ReturnType<typeof useMoves>;
