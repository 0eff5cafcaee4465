import type { OrganizationResponse } from '@gatehouse/contracts-tenancy';

export const ORGANIZATION_COLUMNS = `id, partner_id, name, slug, type, status, max_devices, settings, sso_config, billing_contact, contract_start, contract_end,
  archived_at, purge_at, merged_into_id, created_at, updated_at, deleted_at`;

export interface OrganizationRow extends OrganizationResponse {
  readonly version: number;
}

export const organizationView = ({ version: _, ...organization }: OrganizationRow): OrganizationResponse =>
  organization;
