/** What members of the audit and notification contracts mean, by name. A comment in the class rules over this. */
export const AUDIT: Readonly<Record<string, string>> = {
  type: 'What it is.',
  name: 'The name at that time.',
  sequence: 'The place in the chain, from 1, without gaps.',
  timestamp: 'When it happened.',
  chain: 'The chain: the id of a partner, or `system`.',
  actor: 'Who did it.',
  action: 'What was done, as `resource.verb`.',
  resource: 'What it was done to.',
  result: 'Whether it succeeded, failed or was denied.',
  details: 'What else belongs to this action.',
  ip: 'The address of the client.',
  userAgent: 'The program of the client, as it calls itself.',
  requestId: 'The id of the request.',
  previousHash: 'The hash of the entry before.',
  hash: 'The SHA-256 of the content and the previous hash, in hex.',
  nextCursor: 'The place from which to read on; null at the end.',
  valid: 'Whether the whole chain is unchanged.',
  length: 'The number of entries in the chain.',
  head: 'The hash of the last entry.',
  signedAt: 'When it was signed.',
  actorId: 'Only entries of this actor.',
  resourceType: 'Only entries about resources of this type.',
  resourceId: 'Only entries about this resource.',
  format: 'JSON lines, or CSV.',
};

export const NOTIFIER: Readonly<Record<string, string>> = {
  kind: 'A browser (`webpush`) or a program (`webhook`).',
  endpoint: 'The address that messages are sent to.',
  p256dh: "The browser's public key, in base64url.",
  auth: "The browser's authentication secret, in base64url.",
};
