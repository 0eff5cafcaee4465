import { describe, expect, it } from '@jest/globals';
import { type Pressed, ShortcutReader } from './shortcuts.ts';

describe('shortcuts', () => {
  it('open the palette from anywhere, also while typing and with single keys off', () => {
    const command = press('k', 0, { hasModifier: true, hasCommand: true, isTyping: true });
    expect(new ShortcutReader().read(command, false)).toEqual({ act: 'palette' });
  });

  it('go to a screen by g and a letter within a second', () => {
    const reader = new ShortcutReader();
    expect(reader.read(press('g'), true)).toBeNull();
    expect(reader.read(press('d', 900), true)).toEqual({ act: 'go', to: '/devices' });
    expect(reader.read(press('d', 950), true)).toBeNull();
    reader.read(press('g', 2000), true);
    expect(reader.read(press('d', 3001), true)).toBeNull();
  });

  it.each([
    ['typing', { isTyping: true }],
    ['a modifier', { hasModifier: true }],
  ])('leave keys alone with %s', (_, more) => {
    expect(new ShortcutReader().read(press('?', 0, more), true)).toBeNull();
  });

  it('leave single keys alone when they are switched off', () => {
    const reader = new ShortcutReader();
    reader.read(press('g'), false);
    expect(reader.read(press('a', 1), false)).toBeNull();
    expect(reader.read(press('/'), true)).toEqual({ act: 'filter' });
  });
});

const press = (key: string, at = 0, more: Partial<Pressed> = {}): Pressed => ({
  key,
  at,
  hasModifier: false,
  hasCommand: false,
  isTyping: false,
  ...more,
});
