import type { SimulatedAgent } from '@gatehouse/agent-sim';
import type { Journey } from './journey.ts';
import type { ProductClient } from './product-client.ts';
import type { Settings } from './settings.ts';

/** What every chapter may use. */
export interface Tour {
  readonly journey: Journey;
  readonly settings: Settings;
  /** Nobody in particular. */
  readonly product: ProductClient;
  /** Distinguishes this run's names from those of every other. */
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
