import type {
  AttributeMappingDto,
  EnforcementStage,
  MetadataPolicy,
  MfaEvidence,
  MfaEvidenceValuesDto,
  Postponement,
  ProviderStatus,
  ProviderWarningRecord,
  SsoProtocol,
  SubjectClaim,
} from '@gatehouse/contracts-identity';
import { toCamel } from '@gatehouse/database';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

const TEXT = { type: 'text', nullable: true } as const;
const VARCHAR = { type: 'varchar', nullable: true } as const;
const UUID = { type: 'uuid', nullable: true } as const;
const INSTANT = { type: 'timestamptz', nullable: true } as const;
const TEXTS = { type: 'text', array: true, default: () => "'{}'" } as const;

/** An identity provider as stored. Its secret is sealed and sent only to the provider's own token endpoint. */
@Entity('sso_providers')
export class SsoProvider {
  @PrimaryColumn('uuid') id!: string;
  /** The partner; set for both kinds of owner. */
  @Column('uuid') partnerId!: string;
  @Column(UUID) orgId!: string | null;
  @Column(UUID) ownerPartnerId!: string | null;
  @Column('text') name!: string;
  @Column('text') type!: SsoProtocol;
  @Column(TEXT) preset!: string | null;
  @Column('text', { default: () => "'inactive'" }) status!: ProviderStatus;
  @Column(VARCHAR) issuer!: string | null;
  @Column(VARCHAR) clientId!: string | null;
  @Column(TEXT) clientSecretSealed!: string | null;
  @Column('varchar') scopes!: string;
  @Column('jsonb') attributeMapping!: AttributeMappingDto;
  @Column('boolean') autoProvision!: boolean;
  @Column(UUID) defaultRoleId!: string | null;
  @Column(UUID) defaultRoleConfiguredBy!: string | null;
  @Column(VARCHAR) allowedDomains!: string | null;
  /** Whether the stage is `enforce`; releases before knew this column alone, and a trigger keeps the two together. */
  @Column('boolean') enforceSso!: boolean;
  @Column('text', { default: () => "'off'" }) enforcementStage!: EnforcementStage;
  /** Set in the stage `warn` alone. */
  @Column(INSTANT) enforceAt!: Date | null;
  @Column(INSTANT) enforcementStartedAt!: Date | null;
  /** Who set the stage `warn`: they must still be entitled when its date comes. */
  @Column(UUID) enforcementBy!: string | null;
  /** When the next mail about the date is due. */
  @Column(INSTANT) enforcementNoticeAt!: Date | null;
  @Column(TEXT) enforcementPostponed!: Postponement | null;
  @Column('boolean') trustsIdpMfa!: boolean;
  @Column('text', { array: true, default: () => "'{amr}'" }) mfaEvidence!: MfaEvidence[];
  @Column('jsonb', { default: () => "'{}'" }) mfaEvidenceValues!: MfaEvidenceValuesDto;
  @Column('text', { default: () => "'sub'" }) subjectClaim!: SubjectClaim;
  @Column(VARCHAR) authorizationUrl!: string | null;
  @Column(VARCHAR) tokenUrl!: string | null;
  @Column(VARCHAR) userInfoUrl!: string | null;
  @Column(VARCHAR) jwksUrl!: string | null;
  @Column('text', { default: () => "'client_secret_basic'" }) tokenAuthMethod!: TokenAuthMethod;
  /** The discovery document advertises that callbacks carry `iss` (RFC 9207). */
  @Column('boolean', { default: () => 'false' }) announcesIss!: boolean;
  @Column(VARCHAR) entityId!: string | null;
  @Column(VARCHAR) ssoUrl!: string | null;
  @Column(TEXT) certificate!: string | null;
  /**
   * The end of the grace period for certificates with weak keys that were stored before such keys were refused; null
   * when there is none.
   */
  @Column(INSTANT) weakKeysUntil!: Date | null;
  /** Ours, in PEM: with its key the provider may encrypt assertions. */
  @Column(TEXT) encryptionCertificate!: string | null;
  /** The private keys (PEM) of that certificate and of the one before it, as a JSON array. */
  @Column(TEXT) encryptionKeysSealed!: string | null;
  @Column(VARCHAR) nameIdFormat!: string | null;
  @Column('boolean', { default: () => 'false' }) forceAuthn!: boolean;
  @Column(VARCHAR) metadataUrl!: string | null;
  @Column('text', { default: () => "'auto_certificates'" }) metadataPolicy!: MetadataPolicy;
  @Column(INSTANT) clientSecretExpiresAt!: Date | null;
  @Column(INSTANT) metadataCheckedAt!: Date | null;
  @Column(TEXT) metadataError!: string | null;
  /** Since when no check has succeeded; null while they do. */
  @Column(INSTANT) metadataFailedSince!: Date | null;
  /** When the metadata are read next; null: at once. */
  @Column(INSTANT) metadataDueAt!: Date | null;
  @Column(UUID) pendingChangeId!: string | null;
  /** SHA-256 of the certificates that have verified a sign-in. */
  @Column(TEXTS) verifiedCertificates!: string[];
  /** SHA-256 of certificates about which a person decided: metadata neither add nor drop them. */
  @Column(TEXTS) decidedCertificates!: string[];
  @Column('jsonb', { default: () => "'[]'" }) warnings!: ProviderWarningRecord[];
  @Column('integer', { default: () => '1' }) configVersion!: number;
  /** Counts the changes by administrators; `configVersion` counts those that end sign-ins in progress. */
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('integer', { nullable: true }) testedVersion!: number | null;
  @Column(UUID) createdBy!: string | null;
  /** The administrator who last created it, activated it or changed what it trusts. */
  @Column(UUID) trustedBy!: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

export type EnforcementColumn = 'Stage' | 'StartedAt' | 'By' | 'NoticeAt' | 'Postponed';

const INSTANTS = [
  'createdAt',
  'updatedAt',
  'weakKeysUntil',
  'clientSecretExpiresAt',
  'metadataCheckedAt',
  'metadataFailedSince',
  'metadataDueAt',
  'enforceAt',
  'enforcementStartedAt',
  'enforcementNoticeAt',
] as const satisfies readonly (keyof SsoProvider)[];
type Instants = (typeof INSTANTS)[number];
type AsJson = Omit<SsoProvider, Instants> & Record<Instants, string | null>;

/**
 * Builds a provider from one JSON value: for dozens of columns, reading their descriptions in every result costs more.
 */
export function providerIn(json: Readonly<Record<string, unknown>>): SsoProvider {
  const members = Object.fromEntries(Object.entries(json).map(([column, value]) => [toCamel(column), value])) as AsJson;
  const instants = INSTANTS.map((name) => [name, members[name] === null ? null : new Date(members[name])]);
  return { ...members, ...(Object.fromEntries(instants) as Pick<SsoProvider, Instants>) };
}

export type TokenAuthMethod = 'client_secret_basic' | 'client_secret_post';

/** The encryption context of the stored secret. */
export const clientSecretContext = (providerId: string): string => `sso_provider:${providerId}:client_secret`;
/** The encryption context of our private keys for a provider. */
export const encryptionKeysContext = (providerId: string): string => `sso_provider:${providerId}:encryption_keys`;
