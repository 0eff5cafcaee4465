import { type KeyboardEvent, type RefObject, useState } from 'react';
import { usePreferences } from '../shell/preferences.ts';

type Acts = Readonly<Record<string, (id: string) => void>>;

const isTyping = (target: EventTarget) => target instanceof HTMLElement && target.matches('input[type=text], textarea');

/**
 * Single keys of a list, while the focus is in it: `j` and `k` move, and each act has its letter. Each row has
 * `data-request` or `data-row` with its id and a link marked `data-open`, which takes the focus.
 */
export function useListKeys(list: RefObject<HTMLElement | null>, ids: readonly string[], acts: Acts) {
  const { singleKeys } = usePreferences();
  const [current, setCurrent] = useState<string | null>(null);
  const move = (step: number) => {
    const at = current === null ? -1 : ids.indexOf(current);
    const next = ids[Math.min(Math.max(at + step, 0), ids.length - 1)];
    if (next === undefined) return;
    setCurrent(next);
    list.current?.querySelector<HTMLElement>(`[data-request="${next}"] [data-open]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!singleKeys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1);
    else if (current !== null && acts[event.key]) acts[event.key]?.(current);
    else return;
    event.preventDefault();
  };
  return { current, setCurrent, onKeyDown };
}
