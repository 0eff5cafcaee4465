import type { AttributeMappingDto } from '@gatehouse/contracts-identity';
import { SAML_CLAIM_MAPPING } from '@gatehouse/identity-domain';
import type { SsoProvider } from '../../../providers/configuration/store/sso-provider.entity.ts';

/**
 * SAML attributes were already mapped to our own field names when the response arrived, so they need a fixed mapping.
 */
export const claimMappingOf = ({
  type,
  attributeMapping,
}: Pick<SsoProvider, 'type' | 'attributeMapping'>): AttributeMappingDto =>
  type === 'saml' ? SAML_CLAIM_MAPPING : attributeMapping;
