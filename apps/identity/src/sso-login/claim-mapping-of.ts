import type { AttributeMappingDto } from '@gatehouse/contracts-identity';
import { SAML_CLAIM_MAPPING } from '@gatehouse/identity-domain';
import type { SsoProvider } from '../sso-providers/sso-provider.entity.ts';

/** What a SAML provider sends was brought under our own names when it arrived, as its mapping says. */
export const claimMappingOf = ({
  type,
  attributeMapping,
}: Pick<SsoProvider, 'type' | 'attributeMapping'>): AttributeMappingDto =>
  type === 'saml' ? SAML_CLAIM_MAPPING : attributeMapping;
