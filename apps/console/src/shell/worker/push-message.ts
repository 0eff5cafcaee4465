/** What the server pushes: an approval that waits, or a test without one. */
export interface PushMessage {
  readonly title: string;
  readonly approvalId?: string;
  readonly test?: true;
}

/** What is shown for a push: one notification for each approval, and the address that a tap opens. */
export function notificationOf({ title, approvalId }: PushMessage) {
  return approvalId === undefined
    ? { title, tag: 'test', data: '/settings/profile' }
    : { title, tag: approvalId, data: `/approvals/${approvalId}` };
}

/** The notifications that say nothing true any more. A full page of waiting approvals may hide further ones. */
export function settledTags(shown: readonly string[], waiting: readonly string[], pageLength: number) {
  if (waiting.length >= pageLength) return [];
  return shown.filter((tag) => tag !== '' && tag !== 'test' && !waiting.includes(tag));
}
