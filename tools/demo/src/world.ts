import type { SimulatedAgent } from '@gatehouse/agent-sim';
import type { Journey } from './journey.ts';
import type { ProductClient } from './product-client.ts';
import type { Settings } from './settings.ts';

/** The state that all chapters share. */
export interface Tour {
  readonly journey: Journey;
  readonly settings: Settings;
  /** The client without a session. */
  readonly product: ProductClient;
  /** A suffix that makes the names of this run unique. */
  readonly run: string;
}

export interface Tenant {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
}

export interface Device {
  readonly agent: SimulatedAgent;
  readonly deviceId: string;
}
