import { useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { usePreferences } from '../preferences.ts';
import { type Pressed, ShortcutReader } from './shortcuts.ts';

const EDITABLE = 'input, textarea, select, [contenteditable=true]';

const pressedBy = (event: KeyboardEvent): Pressed => ({
  key: event.key,
  hasModifier: event.ctrlKey || event.metaKey || event.altKey,
  hasCommand: (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey,
  isTyping: event.target instanceof HTMLElement && event.target.matches(EDITABLE),
  at: event.timeStamp,
});

interface Acts {
  readonly palette: () => void;
  readonly help: () => void;
}

/** Keys that act wherever the focus is, except in fields. */
export function useShortcuts({ palette, help }: Acts): void {
  const { singleKeys } = usePreferences();
  const navigate = useNavigate();
  const reader = useRef(new ShortcutReader());
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented) return;
    const heard = reader.current.read(pressedBy(event), singleKeys);
    if (!heard) return;
    event.preventDefault();
    if (heard.act === 'go') void navigate({ to: heard.to });
    else if (heard.act === 'palette') palette();
    else if (heard.act === 'help') help();
    else if (heard.act === 'context') document.querySelector<HTMLElement>('[data-context]')?.click();
    else document.querySelector<HTMLInputElement>('[data-search]')?.focus();
  });
}
