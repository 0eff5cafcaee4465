import { changesOf, invalid, type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  type CreateEnrollmentKeyDto,
  type EnrollmentKeyQuery,
  type EnrollmentKeyResponse,
  type IssuedEnrollmentKeyResponse,
} from '@gatehouse/contracts-tenancy';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { type EnrollmentKeyRow, EnrollmentKeysRepository } from './enrollment-keys.repository.ts';

const enrollmentKeyView = ({ partnerId: _, ...key }: EnrollmentKeyRow): EnrollmentKeyResponse => key;

/** Generates a secret, which is shown once and stored as a hash. */
function newSecret(): { key: string; keyHash: string } {
  const key = randomToken();
  return { key, keyHash: sha256Hex(key) };
}

/** The fields of a key that carry authority; of its secret the log tells only that it was replaced. */
const KEY_FIELDS = ['orgId', 'siteId', 'maxUsage', 'expiresAt', 'allowReenrollment', 'secret'];
interface KeyChange {
  readonly before: (EnrollmentKeyRow & { readonly secret?: string }) | null;
  readonly after: EnrollmentKeyRow & { readonly secret?: string };
}

function auditKeyChange(
  tx: Tx,
  action: 'enrollment_key.create' | 'enrollment_key.rotate' | 'enrollment_key.delete',
  { before, after }: { readonly before: EnrollmentKeyRow; readonly after: null } | KeyChange,
): void {
  const { id, name, partnerId, orgId, siteId } = after ?? before;
  const details = { changes: changesOf(before, after, KEY_FIELDS) };
  tx.audit({ action, partnerId, orgId, siteId, resource: { type: 'enrollment_key', id, name }, details });
}

const DEFAULT_TTL_MINUTES = 30 * 24 * 60;

function requireUsableExpiry(expiresAt: string): void {
  const [at, now] = [Date.parse(expiresAt), new Date()];
  if (at <= now.getTime()) throw invalid('expiresAt', 'must be in the future');
  if (at > now.setUTCFullYear(now.getUTCFullYear() + 10)) throw invalid('expiresAt', 'must be within ten years');
}

function requireSiteInReach({ scope }: UserCaller, siteId: string | null | undefined): void {
  if (scope.sites === 'all' || (siteId && scope.sites.has(siteId))) return;
  throw new ProblemError('site_access_denied', 'Your access is limited to some sites; choose one of them.');
}

@Injectable()
export class EnrollmentKeysService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
  ) {}

  list(caller: UserCaller, query: EnrollmentKeyQuery): Promise<Page<EnrollmentKeyResponse>> {
    return this.work.read(caller, (reader) => this.enrollmentKeysRepository.list(reader, caller, query));
  }

  get(caller: UserCaller, id: string): Promise<EnrollmentKeyResponse> {
    return this.work.read(caller, async (reader) =>
      enrollmentKeyView(await this.enrollmentKeysRepository.get(reader, caller, id)),
    );
  }

  create(caller: UserCaller, draft: CreateEnrollmentKeyDto): Promise<IssuedEnrollmentKeyResponse> {
    if (draft.expiresAt && draft.ttlMinutes) throw invalid('ttlMinutes', 'give either expiresAt or ttlMinutes');
    const { key, keyHash } = newSecret();
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        if (draft.expiresAt) requireUsableExpiry(draft.expiresAt);
        const { id: orgId, partnerId } = await requireWritable(tx, caller, draft.orgId);
        requireSiteInReach(caller, draft.siteId);
        const row = await this.enrollmentKeysRepository.insert(tx, {
          ...draft,
          partnerId,
          orgId,
          keyHash,
          ttlMinutes: draft.ttlMinutes ?? DEFAULT_TTL_MINUTES,
          createdBy: caller.userId,
          allowReenrollment: draft.allowReenrollment ?? false,
        });
        auditKeyChange(tx, 'enrollment_key.create', { before: null, after: row });
        return { ...enrollmentKeyView(row), key };
      },
      shownOnce(({ id }) => id),
    );
  }

  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const row = await this.enrollmentKeysRepository.delete(tx, caller, id);
      await requireWritable(tx, caller, row.orgId);
      auditKeyChange(tx, 'enrollment_key.delete', { before: row, after: null });
    });
  }

  /** Replaces the secret of a key; the old secret stops working. */
  rotate(caller: UserCaller, id: string): Promise<IssuedEnrollmentKeyResponse> {
    const { key, keyHash } = newSecret();
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const row = await this.enrollmentKeysRepository.replaceSecret(tx, caller, id, keyHash);
        await requireWritable(tx, caller, row.orgId);
        const [before, after] = [
          { ...row, secret: 'old' },
          { ...row, secret: 'new' },
        ];
        auditKeyChange(tx, 'enrollment_key.rotate', { before, after });
        return { ...enrollmentKeyView(row), key };
      },
      shownOnce(() => id),
    );
  }
}
