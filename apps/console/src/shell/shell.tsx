import { ActionIcon, Alert, AppShell, Box, Burger, Group, NavLink, Text, Tooltip } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import {
  createRootRouteWithContext,
  Link,
  Outlet,
  useNavigate,
  useParams,
  useRouterState,
} from '@tanstack/react-router';
import { type ComponentProps, type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { useCan } from '../api/me.ts';
import { returnOfNetwork, useOnline } from '../api/browser.ts';
import { useStepUpRequested } from '../api/step-up.ts';
import { isFreeToLeave, Overlay, useLeaveAsked } from '../ui/forms/unsaved.ts';
import { IconChecklist, IconDevices, IconDots, IconSearch } from '../ui/icons.tsx';
import { lazyPart, reloadState, whenIdle } from '../ui/later/lazy-part.ts';
import { askFor, recentPages } from '../ui/page.tsx';
import { LoadingView, NotFoundView } from '../ui/state-views.tsx';
import { UnreadNotice } from '../ui/unread.tsx';
import { liveStateSince, liveUntil, useLiveState } from './live-updates.ts';
import { navigationFor } from './navigation.ts';
import { type Pressed, ShortcutReader } from './palette/shortcuts.ts';
import { usePreferences } from './preferences.ts';
import { CONTEXT, id, searchOf } from './search.ts';
import type { QueryClient } from '@tanstack/react-query';

/** Whether the screen follows the server, and since when. */
function StatusDot() {
  const words = useTranslations('shell');
  const format = useFormatter();
  const state = useLiveState();
  const time = format.dateTime(new Date(liveStateSince()), { timeStyle: 'short' });
  return (
    <Tooltip label={words('liveSince', { state: words(`live.${state}`), time })}>
      <Group gap={6} wrap="nowrap" role="status">
        <span className="gh-dot" data-state={state} aria-hidden />
        <Text size="sm" c="dimmed" className="gh-dot-text">
          {words(`live.${state}`)}
        </Text>
      </Group>
    </Tooltip>
  );
}

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
function useShortcuts({ palette, help }: Acts): void {
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

/** A part that is loaded when it is first drawn; until then its place is empty, or kept free for it. */
function partOf(load: () => Promise<ComponentType>, place: ReactNode = null) {
  const Part = lazyPart(async () => ({ default: await load() }));
  return function Later() {
    return (
      <Suspense fallback={place}>
        <Part />
      </Suspense>
    );
  };
}

// The first view opens with few bytes: menus follow the screen, the dialog when a call needs the second factor.
const sidePanel = async () => {
  await whenIdle();
  return import('./side-panel.tsx');
};
const AccountMenu = partOf(async () => (await sidePanel()).AccountMenu, <Box w={34} h={34} />);
const ContextSwitcher = partOf(async () => (await sidePanel()).ContextSwitcher);
const SideNotices = partOf(async () => (await sidePanel()).SideNotices);
const NavCount = lazyPart(async () => ({ default: (await sidePanel()).NavCount }));

const StepUpDialog = partOf(async () => (await import('./step-up-dialog.tsx')).StepUpDialog);
const LeaveDialog = partOf(async () => (await import('../ui/forms/leave-dialog.tsx')).LeaveDialog);
const Palette = lazyPart(async () => ({ default: (await import('./palette/palette.tsx')).Palette }));
const ShortcutHelp = lazyPart(async () => ({ default: (await import('./palette/shortcut-help.tsx')).ShortcutHelp }));

/** The rules of one organisation belong to the rules, wherever their address stands. */
const RULES_OF_ONE = /^\/orgs\/[^/]+\/(?:rules|replays)/;

/** The part of the console that an address belongs to: all screens of the library are one. */
const areaOf = (path: string): string | undefined =>
  RULES_OF_ONE.test(path) ? '/rules' : /^\/(?:system\/)?[^/]*/.exec(path)?.[0];

/** Where one is goes along from list to list. */
function useContextSearch(): { org?: string; site?: string } {
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  const { org, site } = search;
  return { ...(typeof org === 'string' && { org }), ...(typeof site === 'string' && { site }) };
}

function Count(props: ComponentProps<typeof NavCount>) {
  return (
    <Suspense fallback={null}>
      <NavCount {...props} />
    </Suspense>
  );
}

function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const words = useTranslations('shell.nav');
  const can = useCan();
  const context = useContextSearch();
  const area = useRouterState({ select: ({ location }) => areaOf(location.pathname) });
  return navigationFor(can).map(({ label, to, icon: Icon, count }) => (
    <NavLink
      key={label}
      label={words(label)}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      rightSection={count && <Count of={count} place={context} />}
      aria-current={areaOf(to) === area ? 'page' : undefined}
      renderRoot={(props) => <Link to={to} search={context} activeOptions={{ exact: true }} {...props} />}
      onClick={onNavigate}
    />
  ));
}

interface FrameProps {
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onSearch: () => void;
}

function BottomBar({ isMenuOpen, onMenu, onSearch }: FrameProps) {
  const words = useTranslations('shell');
  const context = useContextSearch();
  const can = useCan();
  return (
    <nav className="gh-nav-bottom" aria-label={words('navigation')}>
      <Link to="/approvals" search={context}>
        <IconChecklist size={20} aria-hidden />
        {words('nav.approvals')}
        {can('GET /pam/elevation-requests') && <Count of="waiting" place={context} />}
      </Link>
      <Link to="/devices" search={context}>
        <IconDevices size={20} aria-hidden />
        {words('nav.devices')}
      </Link>
      <button type="button" onClick={onSearch} className="gh-plain">
        <IconSearch size={20} aria-hidden />
        {words('search')}
      </button>
      <button type="button" onClick={onMenu} aria-expanded={isMenuOpen} className="gh-plain">
        <IconDots size={20} aria-hidden />
        {words('more')}
      </button>
    </nav>
  );
}

function OfflineBanner() {
  const words = useTranslations('shell');
  const format = useFormatter();
  const now = useNow({ updateInterval: 10_000 });
  const online = useOnline();
  if (online) return null;
  const at = Math.min(liveUntil(), Number(now));
  const time = format.dateTime(at, { timeStyle: 'short' });
  return (
    <Alert color="yellow" mb="md" role="status">
      {words('offlineBanner', { time, age: format.relativeTime(at, now) })}
    </Alert>
  );
}

function Header({ isMenuOpen, onMenu, onSearch }: FrameProps) {
  const words = useTranslations('shell');
  return (
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Burger
            opened={isMenuOpen}
            onClick={onMenu}
            hiddenFrom="sm"
            size="sm"
            aria-label={words('openMenu')}
            aria-expanded={isMenuOpen}
          />
          <Text fw={700} visibleFrom="sm">
            Gatehouse
          </Text>
          <ContextSwitcher />
        </Group>
        <Group gap="sm" wrap="nowrap" flex="none">
          <ActionIcon
            variant="default"
            size="lg"
            visibleFrom="sm"
            aria-label={words('search')}
            aria-keyshortcuts="Control+K"
            onClick={onSearch}
          >
            <IconSearch size={18} aria-hidden />
          </ActionIcon>
          <StatusDot />
          <AccountMenu />
        </Group>
      </Group>
    </AppShell.Header>
  );
}

/** The screen of the address, unless it names a thing by what is no id. */
function Screen() {
  const params: Record<string, string> = useParams({ strict: false });
  return Object.values(params).every(id) ? <Outlet /> : <NotFoundView />;
}

/** The navigation of a narrow window, which takes the focus while it is open. */
function useMenu() {
  const [opened, menu] = useDisclosure(false);
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && menu.close());
  useEffect(() => {
    if (opened) document.querySelector<HTMLElement>('.mantine-AppShell-navbar a')?.focus();
  }, [opened]);
  return [opened, menu] as const;
}

/** The frame of every screen: header, navigation, content and the dialogs that any screen can open. */
function Shell() {
  const words = useTranslations('shell');
  const [opened, menu] = useMenu();
  const stepUp = useStepUpRequested();
  const leaving = useLeaveAsked();
  const { density } = usePreferences();
  const [overlay, setOverlay] = useState<'palette' | 'help' | null>(null);
  const search = () => setOverlay('palette');
  const close = () => setOverlay(null);
  useShortcuts({ palette: () => setOverlay(overlay === 'palette' ? null : 'palette'), help: () => setOverlay('help') });
  // A browser asks once for a script: what it missed without a network comes with a reload, which the corner offers.
  const isOffered = () => document.querySelector('.gh-corner') !== null;
  useWindowEvent('online', () => reloadState().missed > 0 && !isOffered() && isFreeToLeave() && location.reload());
  return (
    <AppShell
      header={{ height: 56 }}
      footer={{ height: { base: 60, sm: 0 } }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
      data-density={density}
    >
      <a href="#content" className="gh-skip">
        {words('skip')}
      </a>
      <Header isMenuOpen={opened} onMenu={menu.toggle} onSearch={search} />
      <AppShell.Navbar p="xs" aria-label={words('navigation')} data-closed={!opened || undefined}>
        <Navigation onNavigate={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <OfflineBanner />
        <UnreadNotice />
        <Suspense fallback={<LoadingView />}>
          <Screen />
        </Suspense>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm">
        <BottomBar isMenuOpen={opened} onMenu={menu.toggle} onSearch={search} />
      </AppShell.Footer>
      <SideNotices />
      {opened && <Overlay onClose={menu.close} />}
      {stepUp && <StepUpDialog />}
      {leaving && <LeaveDialog />}
      <Suspense fallback={null}>
        {overlay === 'palette' && <Palette recent={recentPages()} onAct={askFor} onClose={close} />}
        {overlay === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </AppShell>
  );
}

/** The shell around every screen. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  // What any address may name; operators choose a partner besides.
  validateSearch: searchOf({ ...CONTEXT, partner: id }),
  // The router reloads the page for a screen that it cannot fetch: offline that would end the page.
  beforeLoad: async () => {
    if (!navigator.onLine && !navigator.serviceWorker?.controller) await returnOfNetwork();
  },
  component: Shell,
  notFoundComponent: NotFoundView,
});
