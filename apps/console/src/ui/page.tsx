import { Group, Stack, Title } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { type AnyRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Operation } from '../api/generated/access.ts';
import { documentTitle, useOrgName, useShownOrg } from './use-org.tsx';

interface PageProps {
  /** The thing that the page shows; also the document's title. */
  readonly title: string;
  /** Beside the title: a count, a status. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** The organisation of the thing; null where it has none. */
  readonly orgId?: string | null;
  readonly children: ReactNode;
}

/** A screen that does not show the form by then will not: it must not open on a later visit. */
const ASKED_FOR_MS = 10_000;
let asked: { readonly operation: Operation; readonly at: number } | null = null;
const listeners = new Set<() => void>();

/** Asks the screen that comes next for the form of an operation. */
export function askFor(operation: Operation): void {
  asked = { operation, at: Date.now() };
  for (const listener of listeners) listener();
}

/** Opens a form when it is asked for. */
export function useAsked(operation: Operation, open: () => void): void {
  useEffect(() => {
    const answer = () => {
      if (asked?.operation !== operation) return;
      const isLate = Date.now() - asked.at > ASKED_FOR_MS;
      asked = null;
      if (!isLate) open();
    };
    answer();
    listeners.add(answer);
    return () => void listeners.delete(answer);
  });
}

export interface RecentPage {
  readonly title: string;
  readonly path: string;
}

const MAX_RECENT = 6;
const OF_ONE_THING = /\/[\da-f]{8}-[\da-f-]{27}(?:\/|$)/;
let recent: readonly RecentPage[] = [];

/** The things that this tab has shown, the last first. */
export const recentPages = (): readonly RecentPage[] => recent;

function remember(title: string): void {
  const path = location.pathname;
  if (!OF_ONE_THING.test(path)) return;
  const others = recent.filter((one) => one.path !== path && one.title !== title);
  recent = [{ title, path }, ...others].slice(0, MAX_RECENT);
}

interface TabsProps {
  readonly label: string;
  /** Links: that of the screen is marked, and scrolled into view where not all fit. */
  readonly children: ReactNode;
}

/** As wide as the shade over tabs that go on, which shall not lie on the present one. */
const SHADE = 14;

/** The screens beside the present one. */
export function Tabs({ label, children }: TabsProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const nav = useRef<HTMLElement>(null);
  const { width } = useViewportSize();
  useEffect(() => {
    const active = nav.current?.querySelector('[data-status=active]')?.getBoundingClientRect();
    const seen = nav.current?.getBoundingClientRect();
    if (!active || !seen) return;
    const left = Math.min(0, active.left - SHADE - seen.left) + Math.max(0, active.right + SHADE - seen.right);
    if (left !== 0) nav.current?.scrollBy({ left });
  }, [path, width]);
  return (
    <nav ref={nav} className="gh-tabs" aria-label={label}>
      {children}
    </nav>
  );
}

/** Whether the person has pressed a key or a pointer since they left the screen before. */
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

/**
 * A screen. When it has loaded, its heading takes the focus, so that a screen reader announces the screen; but not from
 * a person who has pressed a key or a pointer since they opened it.
 */
export function Page({ title, aside, actions, orgId, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useShownOrg(orgId);
  const organization = useOrgName();
  useEffect(() => {
    document.title = documentTitle(title, organization);
    remember(title);
  }, [title, organization]);
  useEffect(() => focusUnlessActing(heading.current), []);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center" gap="sm">
        <Group gap="sm">
          <Title order={1} ref={heading} tabIndex={-1} className="gh-heading">
            {title}
          </Title>
          {aside}
        </Group>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
