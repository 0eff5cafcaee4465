import type { DeviceStatus, OrganizationStatus } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import type { RuleEditor } from '@gatehouse/pam-domain';
import { DEVICE_EDITORS, editorOf, type EditRow, FORMER_PLACES } from '../rulebooks/editors-sql.repository.ts';

/** A device with what is needed to authenticate its agent. */
export interface AgentDevice {
  readonly deviceId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly groupIds: readonly string[];
  /** Where the machine was by its name; null while only an event has told of the device. */
  readonly formerPlaces: readonly string[] | null;
  readonly hostname: string;
  readonly status: DeviceStatus;
  readonly agentTokenHash: string | null;
  /** The token that the agent has replaced; works until `previousTokenUntil`. */
  readonly previousTokenHash: string | null;
  readonly previousTokenUntil: Date | null;
  readonly agentProtocol: number;
  /** Who moved it or changed its groups within 30 days. */
  readonly editors: readonly RuleEditor[];
  readonly deleted: boolean;
  readonly version: number;
  /** Null while the read model does not have the organisation. */
  readonly orgStatus: OrganizationStatus | null;
  readonly orgDeleted: boolean | null;
  readonly orgVersion: number | null;
  /** Null while the read model does not have the partner. */
  readonly partnerActive: boolean | null;
  readonly partnerDeleted: boolean | null;
}

type Stored = Omit<AgentDevice, 'editors'> & { readonly editors: readonly EditRow[] };

const BY_TOKEN = `
  SELECT d.device_id, d.partner_id, d.org_id, d.site_id, d.group_ids, d.hostname, d.status, d.deleted, d.version,
         d.agent_token_hash, d.previous_token_hash, d.previous_token_until, d.agent_protocol, ${DEVICE_EDITORS} AS editors,
         ${FORMER_PLACES} AS former_places,
         o.status AS org_status, o.deleted AS org_deleted, o.version AS org_version,
         p.status = 'active' AS partner_active, p.deleted AS partner_deleted
    FROM device_ref d LEFT JOIN org_ref o ON o.org_id = d.org_id LEFT JOIN partner_ref p ON p.partner_id = d.partner_id
   WHERE d.agent_token_hash = ANY ($1::text[]) OR d.previous_token_hash = ANY ($1::text[])`;

export class AgentDevicesRepository {
  /** @param hashes SHA-256 of agent tokens, in hex */
  async byTokenHashes(reader: Reader, hashes: readonly string[]): Promise<AgentDevice[]> {
    const rows = await reader.query<Stored>(BY_TOKEN, [hashes]);
    return rows.map(({ editors, ...device }) => ({ ...device, editors: editors.map(editorOf) }));
  }
}
