import type { PartnerResponse } from '@gatehouse/contracts-tenancy';
import type { PartnerEntity } from './partner.entity.ts';

export const partnerView = ({ version: _, ...partner }: PartnerEntity): PartnerResponse => partner;
