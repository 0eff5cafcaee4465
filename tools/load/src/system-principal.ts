import type { Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';

const id = newId();

/** Whom the direct calls act as: the system, with a second factor. */
export const SYSTEM_PRINCIPAL: Principal = {
  kind: 'user', id, userId: id, sessionId: id, name: 'Benchmark', email: null, level: 'system', partnerId: null, orgId: null,
  orgs: 'all', sites: 'all', permissions: ['*'], mfa: true, partnerActive: true,
};
