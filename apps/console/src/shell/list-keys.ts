import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useWindowEvent } from '@mantine/hooks';
import { usePreferences } from './preferences.ts';

type Acts = Readonly<Record<string, (id: string) => void>>;

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };
/** The keys that act before a row has the focus. */
const BEGIN = [...Object.keys(STEPS), 'x', 'Enter'];
const isTyping = (target: EventTarget) => target instanceof HTMLElement && target.matches('input[type=text], textarea');
/** A dialog of a row stands above the list, yet its events reach the list through React. */
const isAbove = ({ currentTarget, target }: KeyboardEvent) => !currentTarget.contains(target as Node);
const hasModifier = ({ ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>) =>
  ctrlKey || metaKey || altKey;

/** Whether nothing but the heading, which has it on arrival, has the focus, and no dialog stands above it. */
const isFree = ({ defaultPrevented }: { readonly defaultPrevented: boolean }): boolean =>
  !defaultPrevented && document.querySelector(':focus:not(.gh-heading), [role=dialog]') === null;

const focusRow = (list: HTMLElement | null, id: string): void =>
  list?.querySelector<HTMLElement>(`[data-request="${id}"] [data-open]`)?.focus();

/** When the row in focus leaves, its neighbour takes the focus, so that the keys go on. */
function useNeighbour(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  { current, setCurrent }: { readonly current: string | null; readonly setCurrent: (id: string | null) => void },
): void {
  const before = useRef(ids);
  useEffect(() => {
    const at = current === null ? -1 : before.current.indexOf(current);
    before.current = ids;
    if (current === null || at === -1 || ids.includes(current)) return;
    const neighbour = ids[Math.min(at, ids.length - 1)] ?? null;
    setCurrent(neighbour);
    // A focus that is elsewhere by now stays there.
    if (neighbour !== null && document.activeElement === document.body) focusRow(list.current, neighbour);
  });
}

/**
 * Single keys of a list, while the focus is in it: `j` and `k` move, and each act has its letter. Each row has
 * `data-request` or `data-row` with its id and a link marked `data-open`, which takes the focus.
 */
export function useListKeys(list: RefObject<HTMLElement | null>, ids: readonly string[], acts: Acts) {
  const { singleKeys } = usePreferences();
  const [current, setCurrent] = useState<string | null>(null);
  useNeighbour(list, ids, { current, setCurrent });
  const move = (step: number) => {
    const at = current === null ? -1 : ids.indexOf(current);
    const next = ids[Math.min(Math.max(at + step, 0), ids.length - 1)];
    if (next === undefined) return;
    setCurrent(next);
    focusRow(list.current, next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!singleKeys || hasModifier(event) || isTyping(event.target) || isAbove(event)) return;
    const step = STEPS[event.key];
    const act = current === null ? undefined : acts[event.key]?.bind(null, current);
    const answer = step === undefined ? act : () => move(step);
    if (answer === undefined) return;
    answer();
    event.preventDefault();
  };
  // Without a focus of its own the page has its list's keys: they begin at the row of before, or the first.
  const begin = (key: string, own: string) => {
    if (key in STEPS) return move(STEPS[key] ?? 0);
    setCurrent(own);
    focusRow(list.current, own);
    if (key === 'x') acts['x']?.(own);
    else (document.activeElement as HTMLElement).click();
  };
  useWindowEvent('keydown', (event) => {
    const own = current ?? ids[0];
    if (own === undefined || !BEGIN.includes(event.key) || !singleKeys || hasModifier(event) || !isFree(event)) return;
    event.preventDefault();
    begin(event.key, own);
  });
  return { current, setCurrent, onKeyDown };
}
