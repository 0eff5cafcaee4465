import { type Principal, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import type { IntrospectionResponse } from '@gatehouse/contracts-identity';
import { OrganizationChanged, PartnerChanged, SiteChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Client, TestService, type TestServiceOptions } from '@gatehouse/testing';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateSync } from 'otplib';
import type { IdentityConfig } from '../src/identity.config.ts';
import { DeliverMail } from '../src/mail/deliver-mail.ts';
import { identityService } from '../src/service.ts';

export const ADMIN = { email: 'root@example.test', password: 'a rather long first password' };
export const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const GENEROUS = 'signInByClient=10000/300,signInByAccount=10000/300,mfa=10000/300,forgotPassword=10000/3600';

export const totp = (secret: string, stepsAhead = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 });

/** Identity on real parts, with a directory for its mail and limits that only their own tests meet. */
export class IdentityHarness {
  private constructor(
    readonly service: TestService<IdentityConfig>,
    private readonly mailDir: string,
  ) {}

  static async start(env: Record<string, string> = {}, options: TestServiceOptions = {}): Promise<IdentityHarness> {
    const mailDir = mkdtempSync(join(tmpdir(), 'gatehouse-mail-'));
    const service = await TestService.start(identityService, {
      ...options,
      env: {
        BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
        BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
        MAIL_DIR: mailDir,
        RATE_LIMITS: GENEROUS,
        ...env,
      },
    });
    return new IdentityHarness(service, mailDir);
  }

  get anonymous(): Client {
    return this.service.as(null);
  }

  login(email: string, password: string, more: object = {}) {
    return this.anonymous.post('/auth/login').send({ email, password, ...more });
  }

  /** What the gateway would make of an access token: the claims' session, asked of identity. */
  async introspect(accessToken: string): Promise<IntrospectionResponse> {
    const { sid } = claimsOf(accessToken);
    return (await this.service.asService('gateway').post('/internal/introspect').send({ sessionId: sid }))
      .body as IntrospectionResponse;
  }

  async principalOf(accessToken: string): Promise<Principal> {
    const answer = await this.introspect(accessToken);
    if (!answer.active) throw new Error(`the session is ${answer.code}`);
    return answer.principal;
  }

  /** Calls as the holder of an access token. */
  async holding(accessToken: string): Promise<Client> {
    return this.service.as(await this.principalOf(accessToken));
  }

  async partner(status: 'active' | 'suspended' = 'active'): Promise<string> {
    const partnerId = newId();
    await this.service.deliver(PartnerChanged, {
      partnerId,
      name: `Partner ${partnerId}`,
      slug: partnerId,
      status,
      deleted: false,
      version: 1,
    });
    return partnerId;
  }

  /**
   * The id of an administrator who exists, so that what they offer stays open. @param partnerId null for one of the
   * system
   */
  async administratorOf(partnerId: string | null): Promise<string> {
    const userId = newId();
    await this.service.sql(
      `INSERT INTO users (id, email, name, status) VALUES ($1, $2, 'Test Administrator', 'active')`,
      [userId, `${userId}@msp.example`],
    );
    await this.service.sql(
      'INSERT INTO memberships (id, user_id, level, partner_id, role_id) VALUES ($1, $2, $3, $4, $5)',
      [newId(), userId, partnerId ? 'partner' : 'system', partnerId, SYSTEM_ROLES[0]?.id],
    );
    return userId;
  }

  /** A member of an organisation, who accepted long ago; one more membership for an address that is known. */
  async member(
    email: string,
    { partnerId, orgId, roleId }: { partnerId: string; orgId: string; roleId: string | undefined },
  ): Promise<{ userId: string; membershipId: string }> {
    await this.service.sql(
      `INSERT INTO users (id, email, name, status) VALUES ($1, $2, 'Member', 'active') ON CONFLICT DO NOTHING`,
      [newId(), email],
    );
    const [row] = await this.service.sql<{ user_id: string; id: string }>(
      `
      INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        SELECT $2, id, 'organization', $3, $4, $5 FROM users WHERE email = $1 RETURNING id, user_id`,
      [email, newId(), partnerId, orgId, roleId],
    );
    return { userId: row?.user_id ?? '', membershipId: row?.id ?? '' };
  }

  async org(partnerId: string): Promise<string> {
    const orgId = newId();
    await this.service.deliver(OrganizationChanged, {
      orgId,
      partnerId,
      name: `Org ${orgId}`,
      status: 'active',
      deleted: false,
      mergedIntoId: null,
      version: 1,
    });
    return orgId;
  }

  async site(partnerId: string, orgId: string): Promise<string> {
    const siteId = newId();
    await this.service.deliver(SiteChanged, {
      siteId,
      orgId,
      partnerId,
      name: `Site ${siteId}`,
      deleted: false,
      version: 1,
    });
    return siteId;
  }

  mails(): string[] {
    return readdirSync(this.mailDir)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(join(this.mailDir, name), 'utf8'));
  }

  /** The token in the newest mail to an address. Sends waiting mail itself, without waiting for the periodic task. */
  async mailedToken(to: string, after = 0): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt++) {
      await this.service.service.app.get(DeliverMail).round();
      const mine = this.mails().filter((mail) => mail.includes(`To: ${to}`));
      const token = /[?&]token=([A-Za-z0-9_-]{43})/.exec(mine.at(-1) ?? '')?.[1];
      if (mine.length > after && token) return token;
      await wait(100);
    }
    throw new Error(`no mail to ${to} arrived`);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    rmSync(this.mailDir, { recursive: true });
  }
}

export const claimsOf = (token: string): { sid: string; sub: string; mfa: { at: string; via: string } | null } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string;
    sub: string;
    mfa: { at: string; via: string } | null;
  };
