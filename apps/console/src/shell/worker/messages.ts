/** What the server pushes: an approval that waits, how an own request ended, or a test. */
export interface PushMessage {
  readonly title: string;
  readonly approvalId?: string;
  readonly elevationRequestId?: string;
  readonly test?: true;
}

/** Told once: no list of what waits says whether it is still true. */
const ENDED = 'ended:';

/** What is shown for a push: one notification for each approval and each request, and the address that a tap opens. */
export function notificationOf({ title, approvalId, elevationRequestId }: PushMessage) {
  if (elevationRequestId !== undefined)
    return { title, tag: `${ENDED}${elevationRequestId}`, data: `/requests/${elevationRequestId}` };
  return approvalId === undefined
    ? { title, tag: 'test', data: '/settings/profile' }
    : { title, tag: approvalId, data: `/approvals/${approvalId}` };
}

/** The notifications that say nothing true any more. A full page of waiting approvals may hide further ones. */
export function settledTags(shown: readonly string[], waiting: readonly string[], pageLength: number) {
  if (waiting.length >= pageLength) return [];
  return shown.filter((tag) => tag !== '' && tag !== 'test' && !tag.startsWith(ENDED) && !waiting.includes(tag));
}

/** Tells a waiting service worker to become the active one. */
export const TAKE_OVER = 'take-over';
/** The same, unless another page is open, whose version the waiting one may not have. */
export const TAKE_OVER_ALONE = 'take-over-alone';
