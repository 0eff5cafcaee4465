import { Api, type RunningProduct } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';

export interface Device {
  readonly id: string;
  readonly token: string;
}

/** A partner with one organisation and a number of enrolled devices, made over the public API. */
export interface Tenant {
  readonly admin: Api;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly devices: readonly Device[];
}

const ENROLLED_TOGETHER = 8;

interface Made {
  readonly id: string;
}

async function enrol(api: Api, enrollmentKey: string, at: number): Promise<Device> {
  const { deviceId, agentToken } = await api.must<{ deviceId: string; agentToken: string }>('POST', '/agents/enroll', {
    enrollmentKey,
    hostname: `bench-${at}`,
    osType: 'windows',
  });
  return { id: deviceId, token: agentToken };
}

const signedIn = (product: RunningProduct): Promise<Api> => new Api(product.baseUrl).signIn(product.administrator);

/**
 * @param known an administrator who is signed in, because a code of the second factor is valid once
 */
export async function makeTenant(product: RunningProduct, deviceCount: number, known?: Api): Promise<Tenant> {
  const admin = known ?? (await signedIn(product));
  const name = `bench-${randomUUID().slice(0, 8)}`;
  const partner = await admin.must<Made>('POST', '/orgs/partners', { name, slug: name, status: 'active' });
  const org = await admin.must<Made>('POST', '/orgs/organizations', { partnerId: partner.id, name, slug: name });
  const site = await admin.must<Made>('POST', '/orgs/sites', { orgId: org.id, name: 'Main' });
  const answer = await admin.must<{ key?: string; data?: { key: string } }>('POST', '/enrollment-keys', {
    orgId: org.id,
    siteId: site.id,
    name: 'bench',
  });
  const key = answer.key ?? answer.data?.key ?? '';
  const devices: Device[] = [];
  while (devices.length < deviceCount) {
    const batch = Array.from({ length: Math.min(ENROLLED_TOGETHER, deviceCount - devices.length) });
    devices.push(...(await Promise.all(batch.map((_, at) => enrol(admin.as(''), key, devices.length + at)))));
  }
  return { admin, partnerId: partner.id, orgId: org.id, siteId: site.id, devices };
}
