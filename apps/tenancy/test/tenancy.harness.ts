import type { Principal } from '@gatehouse/contracts-core';
import type {
  EnrolledAgentResponse,
  IssuedEnrollmentKeyResponse,
  OrganizationResponse,
  PartnerResponse,
  SiteResponse,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import type { Step } from '@gatehouse/tenant-data';
import { aPartnerAdmin, aSystemAdmin, type Client, TestService } from '@gatehouse/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { tenancyService } from '../src/service.ts';
import type { TenancyConfig } from '../src/tenancy.config.ts';

const ofOwn = (base: string): string => `${base}-${newId().slice(-12)}`;

/** Starts tenancy before the tests of a suite, and stops it after them. */
export function besideTenancy(take: (started: Tenancy) => unknown, env?: Record<string, string>): void {
  let tenancy: Tenancy;
  beforeAll(async () => void take((tenancy = await Tenancy.start(env))));
  afterAll(() => tenancy.stop());
}

/** The service with builders that go through its routes. */
export class Tenancy {
  private constructor(readonly service: TestService<TenancyConfig>) {}

  static async start(env: Record<string, string> = {}, natsUrl?: string): Promise<Tenancy> {
    return new Tenancy(
      await TestService.start(tenancyService, {
        natsUrl,
        env: { RATE_LIMITS: 'enrolByClient=100000/60,enrolByKey=100000/60', TENANT_DATA_SERVICES: 'tenancy', ...env },
      }),
    );
  }

  get system(): Client {
    return this.service.as(aSystemAdmin());
  }

  as(principal: Principal): Client {
    return this.service.as(principal);
  }

  admin(partnerId: string, overrides: Partial<Principal> = {}): Client {
    return this.service.as(aPartnerAdmin(partnerId, overrides));
  }

  /** A merge or purge that waits for the word of other services, as its beginning leaves it. @returns its id */
  async run(
    step: Step,
    {
      partnerId,
      sourceId,
      targetId,
      participants = ['tenancy', 'identity'],
    }: { partnerId: string; sourceId: string; targetId: string | null; participants?: string[] },
  ): Promise<string> {
    const id = newId();
    await this.service.sql(
      `INSERT INTO organization_runs (id, partner_id, org_id, survivor_id, kind, step, participants, status_before,
        started_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, 'active', '{"type": "system", "id": null, "name": "test"}')`,
      [id, partnerId, sourceId, targetId, step === 'purge' ? 'purge' : 'merge', step, participants],
    );
    return id;
  }

  async partner(fields: object = {}): Promise<PartnerResponse> {
    return created(
      await this.system.post('/orgs/partners').send({ name: 'Partner', slug: ofOwn('partner'), ...fields }),
    );
  }

  async organization(partnerId: string, fields: object = {}): Promise<OrganizationResponse> {
    return created(
      await this.admin(partnerId)
        .post('/orgs/organizations')
        .send({ name: 'Organization', slug: ofOwn('org'), ...fields }),
    );
  }

  async site(partnerId: string, orgId: string, fields: object = {}): Promise<SiteResponse> {
    return created(
      await this.admin(partnerId)
        .post('/orgs/sites')
        .send({ orgId, name: 'Site', ...fields }),
    );
  }

  async enrollmentKey(partnerId: string, orgId: string, fields: object = {}): Promise<IssuedEnrollmentKeyResponse> {
    return created(
      await this.admin(partnerId)
        .post('/enrollment-keys')
        .send({ orgId, name: 'Key', ...fields }),
    );
  }

  async device(enrollmentKey: string, fields: object = {}): Promise<EnrolledAgentResponse> {
    return created(
      await this.service
        .as(null)
        .post('/agents/enroll')
        .send({ enrollmentKey, hostname: ofOwn('pc'), osType: 'windows', ...fields }),
    );
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}

export function created<T>(answer: { status: number; body: unknown }): T {
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}
