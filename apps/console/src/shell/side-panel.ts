// What stands and goes on beside the screens. It is one file because all of it is loaded once the first paint is there.
export { Corner } from './jobs/corner.tsx';
export { AccountMenu } from './menus/account-menu.tsx';
export { ContextSwitcher } from './menus/context-switcher.tsx';
export { NavCount } from './menus/nav-count.tsx';
export { startWorker } from './worker/start.ts';
