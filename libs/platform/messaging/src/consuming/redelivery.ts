/**
 * How long the broker waits for a sign of life about a message before it delivers it again: so late does an event that
 * was on its way have its effect when a connection or a process ends.
 */
export const ACK_WAIT_MS = 10_000;
/** How often a consumer tells the broker that it still works on a message. */
export const STILL_WORKING_MS = 3_000;

const FIRST_BACKOFF_MS = 50;

/** How long a message that could not be applied waits for its next delivery. @param deliveries so far */
export const backoffMs = (deliveries: number): number => Math.min(FIRST_BACKOFF_MS * 2 ** deliveries, ACK_WAIT_MS);
