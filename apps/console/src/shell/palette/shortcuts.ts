/** The screen that `g` and a letter open. */
const SCREENS = {
  a: '/approvals',
  v: '/active',
  r: '/requests',
  d: '/devices',
  o: '/orgs',
  u: '/rules',
  l: '/audit',
} as const;

export const SHORTCUTS = [
  { name: 'palette', keys: ['Ctrl', 'K'] },
  { name: 'context', keys: ['['] },
  { name: 'approvals', keys: ['g', 'a'] },
  { name: 'active', keys: ['g', 'v'] },
  { name: 'requests', keys: ['g', 'r'] },
  { name: 'devices', keys: ['g', 'd'] },
  { name: 'organizations', keys: ['g', 'o'] },
  { name: 'rules', keys: ['g', 'u'] },
  { name: 'audit', keys: ['g', 'l'] },
  { name: 'filter', keys: ['/'] },
  { name: 'move', keys: ['j', 'k'] },
  { name: 'select', keys: ['x'] },
  { name: 'open', keys: ['⏎'] },
  { name: 'approve', keys: ['a'] },
  { name: 'deny', keys: ['d'] },
  { name: 'rule', keys: ['r'] },
  { name: 'help', keys: ['?'] },
] as const;

/** How long `g` waits for its letter. */
const SEQUENCE_MS = 1000;

export type Heard =
  | { readonly act: 'go'; readonly to: (typeof SCREENS)[keyof typeof SCREENS] }
  | { readonly act: 'palette' | 'help' | 'filter' | 'context' };

export interface Pressed {
  readonly key: string;
  readonly hasModifier: boolean;
  /** Whether Control or Command is held, and nothing else. */
  readonly hasCommand: boolean;
  readonly isTyping: boolean;
  readonly at: number;
}

const SINGLE: Readonly<Record<string, Heard>> = {
  '?': { act: 'help' },
  '/': { act: 'filter' },
  '[': { act: 'context' },
};

/** Turns keys into acts, wherever the focus is; remembers a `g` for a second. */
export class ShortcutReader {
  private leadAt = -Infinity;

  /** @param singleKeys whether keys without a modifier act (WCAG 2.1.4) */
  read({ key, hasModifier, hasCommand, isTyping, at }: Pressed, singleKeys: boolean): Heard | null {
    if (hasCommand && key.toLowerCase() === 'k') return { act: 'palette' };
    if (!singleKeys || hasModifier || isTyping) return null;
    const isLed = at - this.leadAt <= SEQUENCE_MS;
    this.leadAt = key === 'g' ? at : -Infinity;
    if (isLed && key in SCREENS) return { act: 'go', to: SCREENS[key as keyof typeof SCREENS] };
    return SINGLE[key] ?? null;
  }
}
