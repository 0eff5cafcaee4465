/** Tells a waiting service worker to become the active one. */
export const TAKE_OVER = 'take-over';
/** The same, unless another page is open, whose version the waiting one may not have. */
export const TAKE_OVER_ALONE = 'take-over-alone';
