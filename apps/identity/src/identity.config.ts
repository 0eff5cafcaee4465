import { Email } from '@gatehouse/contracts-core';
import { DnsServers, PrivatePlaces } from '@gatehouse/egress';
import { ServiceConfig } from '@gatehouse/service';
import { IsBoolean, IsInt, IsOptional, IsString, IsUrl, Length, Matches, Max, Min, ValidateBy } from 'class-validator';

const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/**
 * Worker files are in the same folder as `main` in every form of the service: as sources, compiled, and bundled into
 * one file for an image. In the bundle, `import.meta.url` is the URL of the bundle, so this file must be in the same
 * folder as `main` too.
 */
export const SAML_WORKER = new URL(`./saml-worker${extension}`, import.meta.url);

function arePrivatePlaces(setting: unknown): boolean {
  try {
    return typeof setting === 'string' && PrivatePlaces.from(setting) instanceof PrivatePlaces;
  } catch {
    return false;
  }
}

const MAX_ATTEMPT_DAYS = 365;
const MAX_METADATA_HOURS = 168;

export class IdentityConfig extends ServiceConfig {
  /** PostgreSQL, as the role that serves. */
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlIdentity!: string;

  /** The first administrator, created at start-up when there are no users yet. */
  @Email({ optional: true })
  bootstrapAdminEmail?: string;

  /** The password of that administrator. */
  @IsOptional()
  @Length(12, 128, { message: 'must have 12 to 128 characters' })
  bootstrapAdminPassword?: string;

  /** Gives that administrator a confirmed TOTP factor. */
  @IsOptional()
  @Matches(/^[A-Z2-7]{16,}=*$/i, { message: 'must be base32 of at least 10 bytes' })
  bootstrapAdminTotpSecret?: string;

  /** The mail server, with its login. Without it and MAIL_DIR, no mail is sent. */
  @IsOptional()
  @IsUrl(
    { protocols: ['smtp', 'smtps'], require_tld: false, require_protocol: true },
    { message: 'must be an smtp:// address' },
  )
  smtpUrl?: string;

  /** A directory to which each mail is written as an .eml file. */
  @IsOptional()
  @IsString()
  mailDir?: string;

  /** The sender of mails. */
  @IsString()
  mailFrom: string = 'Gatehouse <no-reply@gatehouse.local>';

  /** A deployment for many partners: shows no partner's branding before sign-in. */
  @IsBoolean({ message: 'must be true or false' })
  isHosted: boolean = false;

  /** DNS servers, `address:port` separated by commas; the system's by default. */
  @IsOptional()
  @DnsServers()
  dnsServers?: string;

  /**
   * Names of hosts and private networks, separated by commas, at which identity providers may be reached over https,
   * such as `adfs.corp.example,10.4.0.0/16`. None by default.
   */
  @IsOptional()
  @ValidateBy(
    { name: 'privatePlaces', validator: { validate: arePrivatePlaces } },
    { message: 'must list names of hosts and private networks, such as adfs.corp.example,10.4.0.0/16' },
  )
  egressPrivateAllow?: string;

  /** Days for which sign-ins through identity providers are kept with their steps; the audit log keeps their ends. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_ATTEMPT_DAYS)
  ssoAttemptDays: number = 30;

  /** Hours between two checks of the metadata of a SAML provider; a tenth more or less, so that they spread. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_METADATA_HOURS)
  ssoMetadataHours: number = 6;

  /** Our entity id towards SAML identity providers; the metadata address by default. */
  @IsOptional()
  @IsString()
  samlEntityId?: string;
}
