import type { AnyRouter } from '@tanstack/react-router';

/** Whether the person has pressed anything since they left the screen before. */
let isActing = false;

/** Follows what the person presses, from one screen to the next. */
export function followPresses(router: Pick<AnyRouter, 'subscribe'>): void {
  for (const type of ['keydown', 'pointerdown'])
    addEventListener(type, () => void (isActing = true), { capture: true });
  router.subscribe('onBeforeNavigate', () => void (isActing = false));
}

/** Moves the focus, unless the person has pressed something on this screen and has it where they want it. */
export function focusUnlessActing(element: HTMLElement | null): void {
  if (!isActing || document.activeElement === document.body) element?.focus();
}
