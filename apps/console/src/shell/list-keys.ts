import { type KeyboardEvent, type RefObject, useState } from 'react';
import { usePreferences } from './preferences.ts';

type Acts = Readonly<Record<string, (id: string) => void>>;

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };
const isTyping = (target: EventTarget) => target instanceof HTMLElement && target.matches('input[type=text], textarea');
const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey;

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
    if (!singleKeys || hasModifier(event) || isTyping(event.target)) return;
    const step = STEPS[event.key];
    const act = current === null ? undefined : acts[event.key]?.bind(null, current);
    const answer = step === undefined ? act : () => move(step);
    if (answer === undefined) return;
    answer();
    event.preventDefault();
  };
  return { current, setCurrent, onKeyDown };
}
