import type { TenantScope } from '@gatehouse/contracts-core';
import type { SsoProtocol } from '@gatehouse/contracts-identity';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LoginSessionEntity } from './login-session.entity.ts';
import { providerIn, type SsoProvider } from '../../../providers/configuration/store/sso-provider.entity.ts';
import { ofOpenOwner } from '../../../tenants/tenant-refs/tenant-refs.repository.ts';

type Stored = Pick<
  LoginSessionEntity,
  'nonce' | 'codeVerifier' | 'redirectPath' | 'linkingUserId' | 'requestId' | 'providerId'
>;
type Purpose = Pick<LoginSessionEntity, 'purpose' | 'attemptId' | 'startedBy' | 'setupLinkId'>;

type LoginAttempt = Readonly<Stored & Purpose> & {
  /** The provider's configuration generation when the attempt began. */
  readonly attemptVersion: number;
};

export type ClaimedAttempt = LoginAttempt & SsoProvider;

interface Found {
  readonly provider: Readonly<Record<string, unknown>>;
}

export type NewAttempt = Readonly<Omit<Stored, 'providerId'> & Pick<Purpose, 'startedBy'>> & {
  readonly stateHash: string;
  readonly protocol: SsoProtocol;
};

/** Which test a caller may read; the visitor of a set-up link reads those of the link alone. */
export interface TestOf {
  readonly attemptId: string;
  readonly setupLinkId: string | null;
}

export interface NewTest extends TestOf, Pick<Stored, 'nonce' | 'codeVerifier' | 'requestId'> {
  readonly attemptId: string;
  readonly stateHash: string;
  readonly startedBy: string | null;
}

export interface BegunTest {
  readonly expiresAt: Date;
  readonly isWaiting: boolean;
}

export type LoginOwner = { readonly orgId: string } | { readonly partnerId: string } | { readonly providerId: string };

/** The SQL equivalent of `missingSettings`: no attempt begins with an incomplete provider. */
const COMPLETE = `CASE c.type WHEN 'oidc' THEN num_nulls(c.issuer, c.client_id, c.client_secret_sealed, c.authorization_url, c.token_url, c.jwks_url)
                                           ELSE num_nulls(c.entity_id, c.sso_url, c.certificate) END = 0`;

/**
 * Selects the owner's oldest active provider and begins the attempt in the same statement. The commit does not wait for
 * the disk: when a crash loses an attempt, the user finds it expired and begins again.
 */
const begin = (owner: string): string => `
  WITH chosen AS (
    SELECT p.* FROM sso_providers p WHERE ${owner} AND p.status = 'active' AND ${ofOpenOwner('p')}
     ORDER BY p.created_at, p.id
      LIMIT 1
  ), begun AS (
    INSERT INTO sso_login_sessions (state_hash, provider_id, config_version, nonce, code_verifier, redirect_path,
      linking_user_id, started_by, request_id)
    SELECT $2, c.id, c.config_version, $3, $4, $5, $6, $7, $8 FROM chosen c WHERE c.type = $9 AND ${COMPLETE}
  )
  SELECT row_to_json(c) AS provider, set_config('synchronous_commit', 'off', true) FROM chosen c`;
const BEGIN = {
  orgId: begin('p.org_id = $1'),
  partnerId: begin('p.owner_partner_id = $1'),
  providerId: begin('p.id = $1'),
};

const BEGUN_TEST = `
  SELECT max(s.expires_at) AS expires_at, max(s.expires_at) > now() AS is_waiting
    FROM sso_login_sessions s JOIN sso_providers p ON p.id = s.provider_id WHERE s.attempt_id = $1`;

const NAME_OF_STARTER = `SELECT CASE WHEN $2::uuid IS NULL THEN (SELECT name FROM users WHERE id = $1)
  ELSE (SELECT recipient_email FROM sso_setup_links WHERE id = $2) END AS name`;

const IS_ATTEMPT = 'state_hash = $1 AND expires_at > now()';
const ATTEMPT = `provider_id, config_version AS attempt_version, nonce, code_verifier, redirect_path, linking_user_id, request_id,
   purpose, attempt_id, started_by, setup_link_id`;
const withProvider = (attempt: string): string => `
  WITH attempt AS (${attempt})
  SELECT a.*, row_to_json(p) AS provider FROM attempt a JOIN sso_providers p ON p.id = a.provider_id`;
const FIND = withProvider(`SELECT ${ATTEMPT} FROM sso_login_sessions WHERE ${IS_ATTEMPT}`);
const CLAIM = withProvider(`DELETE FROM sso_login_sessions WHERE ${IS_ATTEMPT} RETURNING ${ATTEMPT}`);

function attemptIn(found: (LoginAttempt & Found) | null): ClaimedAttempt | null {
  if (!found) return null;
  const { provider, ...attempt } = found;
  return { ...attempt, ...providerIn(provider) };
}

/** An expired attempt is kept for an hour, so that the record of a late return names its provider. */
const TAKE_EXPIRED = withProvider(`
  UPDATE sso_login_sessions SET expires_at = expires_at - interval '1 hour'
   WHERE state_hash = $1 AND expires_at <= now() AND expires_at > now() - interval '1 hour' RETURNING ${ATTEMPT}`);
const SWEEP = [
  `DELETE FROM sso_login_sessions WHERE expires_at <= now() - interval '1 hour'`,
  ...['sso_exchange_codes', 'sso_saml_results', 'sso_parked_links'].map(
    (table) => `DELETE FROM ${table} WHERE expires_at <= now()`,
  ),
];

@Injectable()
export class LoginSessionsRepository {
  /**
   * @returns the owner's provider, or null when none is active; an attempt begins only when the provider is complete
   * and uses the protocol
   */
  async begin(statement: Reader, owner: LoginOwner, attempt: NewAttempt): Promise<SsoProvider | null> {
    const { stateHash, nonce, codeVerifier, redirectPath, linkingUserId, startedBy, requestId, protocol } = attempt;
    const [[kind, id]] = Object.entries(owner) as [[keyof typeof BEGIN, string]];
    const found = await statement.one<Found>(BEGIN[kind], [
      id,
      stateHash,
      nonce,
      codeVerifier,
      redirectPath,
      linkingUserId,
      startedBy,
      requestId,
      protocol,
    ]);
    return found && providerIn(found.provider);
  }

  /**
   * Begins a test at the provider, in whatever status. The second row, which no state can claim, stays when the first
   * is claimed, so that the test can be found until it is done.
   */
  async beginTest(tx: Tx, provider: SsoProvider, test: NewTest): Promise<Date> {
    const { id: providerId, configVersion } = provider;
    const row = {
      ...test,
      providerId,
      configVersion,
      purpose: 'test',
      redirectPath: '/',
      linkingUserId: null,
    } as const;
    const mark = { ...row, stateHash: test.attemptId, nonce: '', codeVerifier: '', requestId: null };
    await tx.manager.insert(LoginSessionEntity, [row, mark]);
    const begun = await this.findTest(tx, tx.caller.scope, test);
    if (!begun) throw new Error('the test that was just begun is not there');
    return begun.expiresAt;
  }

  /** Finds a test that has begun within the caller's reach, done or not. */
  findTest(reader: Reader, scope: TenantScope, { attemptId, setupLinkId }: TestOf): Promise<BegunTest | null> {
    const found = scoped(scope, { partner: 'p.partner_id', org: 'p.org_id' }, [attemptId]).add(
      's.setup_link_id = ?::uuid',
      setupLinkId ?? undefined,
    );
    return reader.one<BegunTest>(`${BEGUN_TEST}${found.and} GROUP BY s.attempt_id`, found.parameters);
  }

  /** The user who began a test, or the recipient of the set-up link by which it was begun. */
  async nameOfStarter(reader: Reader, { startedBy, setupLinkId }: Purpose): Promise<string | null> {
    return (await reader.one<{ name: string | null }>(NAME_OF_STARTER, [startedBy, setupLinkId]))?.name ?? null;
  }

  /** Returns the attempt and the current state of its provider. */
  async find(reader: Reader, stateHash: string): Promise<ClaimedAttempt | null> {
    return attemptIn(await reader.one(FIND, [stateHash]));
  }

  /** Consumes the attempt, which can be used only once, and returns it with the current state of its provider. */
  async claim(statement: Reader, stateHash: string): Promise<ClaimedAttempt | null> {
    return attemptIn(await statement.one(CLAIM, [stateHash]));
  }

  /** An attempt that expired within the last hour, once: it is good for nothing but the record of its end. */
  async takeExpired(tx: Tx, stateHash: string): Promise<ClaimedAttempt | null> {
    return attemptIn(await tx.one(TAKE_EXPIRED, [stateHash]));
  }

  async sweep(tx: Tx): Promise<void> {
    for (const sql of SWEEP) await tx.query(sql);
  }
}
