/** What the queue reads without a filter, as an address: `queueQuery` asks for the same. */
export const QUEUE_ROWS = '/pam/elevation-requests?status=pending&limit=100&sort=pendingUntil';
