import { useState } from 'react';
import type { Selection } from '../../ui/lists/data-table.tsx';
import type { Device } from './queries.ts';

/** The most devices that one act takes. */
export const MAX_SELECTED = 500;

type Devices = ReadonlyMap<string, Device>;

/** What is selected after a change on one page: what is selected on other pages stays. */
export function withPage(selected: Devices, page: readonly Device[], ids: ReadonlySet<string>): Devices {
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
