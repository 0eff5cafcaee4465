/** Tells a waiting service worker to become the active one. */
export const TAKE_OVER = 'take-over';
