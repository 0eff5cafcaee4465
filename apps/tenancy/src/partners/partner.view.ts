import type { PartnerResponse } from '@gatehouse/contracts-tenancy';

export const PARTNER_COLUMNS = `id, name, slug, type, plan, status, max_organizations, max_devices, settings, sso_config, billing_email, created_at, updated_at, deleted_at`;

/** The columns that statements on partners return: the record, and the version for its event. */
export interface PartnerRow extends PartnerResponse {
  readonly version: number;
}

export const partnerView = ({ version: _, ...partner }: PartnerRow): PartnerResponse => partner;
