import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inParallel } from '../../api/many.ts';
import type { Selection } from '../../ui/lists/data-table.tsx';
import { type Device, type MovedDevice, moveDevice } from './queries.ts';

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

/** The most devices that one act takes. */
export const MAX_SELECTED = 500;

type Devices = ReadonlyMap<string, Device>;

/** What is selected after a change on one page: what is selected on other pages stays. */
function withPage(selected: Devices, page: readonly Device[], ids: ReadonlySet<string>): Devices {
  const onPage = new Set(page.map(({ id }) => id));
  const kept = [...selected].filter(([id]) => !onPage.has(id));
  const chosen = page.filter(({ id }) => ids.has(id)).map((device) => [device.id, device] as const);
  return new Map([...kept, ...chosen].slice(0, MAX_SELECTED));
}

/** Devices that are selected across pages. */
export function useSelection() {
  const [selected, setSelected] = useState<Devices>(new Map());
  const selectionOf = (page: readonly Device[]): Selection => ({
    ids: new Set(page.map(({ id }) => id).filter((id) => selected.has(id))),
    change: (ids) => setSelected(withPage(selected, page, ids)),
  });
  const remove = (ids: ReadonlySet<string>) => setSelected(new Map([...selected].filter(([id]) => !ids.has(id))));
  return { devices: [...selected.values()], selectionOf, remove, clear: () => setSelected(new Map()) };
}
