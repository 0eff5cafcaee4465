import type { ProviderRecord } from '@gatehouse/contracts-identity';
import { weakKeyWarnings } from '../certificates/certificate-keys.ts';
import { certificateRecordOf, readCertificates } from '../certificates/saml-certificates.ts';
import type { SsoProvider } from './sso-provider.entity.ts';

const toText = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Maps a provider to the record that administrators see. */
export function providerRecordOf(provider: SsoProvider): ProviderRecord {
  const {
    clientSecretSealed,
    encryptionKeysSealed: _k,
    enforceSso,
    enforcementStage: stage,
    enforceAt,
    enforcementStartedAt,
    enforcementBy: _e,
    enforcementNoticeAt: _n,
    enforcementPostponed: _p,
    ownerPartnerId,
    testedVersion: _t,
    trustedBy: _b,
    tokenAuthMethod: _m,
    announcesIss: _i,
    weakKeysUntil: _w,
    metadataFailedSince: _f,
    metadataDueAt: _d,
    verifiedCertificates: _v,
    decidedCertificates: _c,
    clientSecretExpiresAt,
    metadataCheckedAt,
    createdAt,
    updatedAt,
    ...shown
  } = provider;
  return {
    ...shown,
    certificates: shown.certificate ? readCertificates(shown.certificate).map(certificateRecordOf) : [],
    warnings: [...provider.warnings, ...weakKeyWarnings(provider)],
    ownerScope: ownerPartnerId === null ? 'organization' : 'partner',
    partnerId: ownerPartnerId,
    hasClientSecret: clientSecretSealed !== null,
    enforceSSO: enforceSso,
    enforcement: { stage, enforceAt: toText(enforceAt), startedAt: toText(enforcementStartedAt) },
    clientSecretExpiresAt: toText(clientSecretExpiresAt),
    metadataCheckedAt: toText(metadataCheckedAt),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
