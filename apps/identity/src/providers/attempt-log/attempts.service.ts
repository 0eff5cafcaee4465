import {
  asService,
  type Caller,
  paged,
  ProblemError,
  requireInOrder,
  type TenantScope,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  AttemptKind,
  AttemptPageResponse,
  AttemptResponse,
  AttemptResult,
  ListAttemptsQuery,
  SsoProtocol,
  TracedAttemptRecord,
  TraceRecord,
} from '@gatehouse/contracts-identity';
import { KeyRing } from '@gatehouse/crypto';
import { type Reader, type Tx, UnitOfWork } from '@gatehouse/database';
import { type Ending, traceOf, type TracedProvider } from '@gatehouse/identity-domain';
import { Every, LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { IdentityConfig } from '../../identity.config.ts';
import { attemptRow, AttemptsRepository, type WantedAttempt } from './attempts.repository.ts';

const EVERY_MS = 10 * 60_000;
const MAX_USER_AGENT = 500;

/** The encryption context of the stored steps. */
export const traceContext = (id: string): string => `sso_attempt:${id}:trace`;

/** The provider of an attempt, as far as its record shows it. */
export interface AttemptProvider extends TracedProvider {
  readonly id: string;
  readonly name: string;
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly configVersion: number;
}

const NO_PROVIDER = { id: null, name: null, partnerId: null, orgId: null, configVersion: null };

/** A round trip through a provider that has ended. */
export interface EndedAttempt extends Omit<Ending, 'provider'> {
  readonly id: string;
  readonly provider: AttemptProvider | null;
  readonly kind: AttemptKind;
  readonly protocol: SsoProtocol;
  readonly result: AttemptResult;
  readonly userId: string | null;
  readonly setupLinkId?: string | null;
}

export const attemptNotFound = (): ProblemError =>
  new ProblemError('sso_attempt_not_found', 'There is no such sign-in attempt, or it is too old.');

export interface PreparedRecord {
  /** The argument of the database's `record_sso_attempt`. */
  readonly row: string;
  /** Takes what that function returned. */
  readonly written: (fault: string | null) => void;
}

/**
 * The record of sign-ins through providers (IDY-183 to IDY-189), for support. It helps; the audit log is the evidence,
 * so a sign-in goes on without its record.
 */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly attemptsRepository: AttemptsRepository,
    private readonly keyRing: KeyRing,
    private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async list(caller: UserCaller, query: ListAttemptsQuery): Promise<AttemptPageResponse> {
    if (query.scope === 'partner' && caller.level === 'organization')
      throw new ProblemError(
        'scope_denied',
        "The sign-ins at the partner's own providers are listed in partner scope.",
      );
    requireInOrder(query, 'from', 'to');
    return paged(
      query,
      await this.work.read(caller, (reader) => this.attemptsRepository.list(reader, caller.scope, query)),
    );
  }

  async get(caller: UserCaller, id: string): Promise<AttemptResponse> {
    const attempt = await this.work.read(caller, (reader) => this.find(reader, caller.scope, { id }));
    if (!attempt) throw attemptNotFound();
    return { data: attempt };
  }

  async find(reader: Reader, scope: TenantScope, wanted: WantedAttempt): Promise<TracedAttemptRecord | null> {
    const found = await this.attemptsRepository.find(reader, scope, wanted);
    return found && { ...found.attempt, trace: this.open(found.attempt.id, found.traceSealed) };
  }

  open(id: string, traceSealed: string): TraceRecord {
    return JSON.parse(this.keyRing.open(traceSealed, traceContext(id))) as TraceRecord;
  }

  /**
   * Whether a provider says that its addresses are verified, by the newest attempt that tells; an address that it
   * called unverified tells of one user only. @returns undefined when none tells
   */
  async vouches(
    reader: Reader,
    provider: Pick<AttemptProvider, 'id' | 'partnerId' | 'orgId'>,
  ): Promise<boolean | undefined> {
    const attempts = await this.attemptsRepository.newestOf(reader, provider);
    const told = attempts
      .flatMap(({ id, traceSealed }) => this.open(id, traceSealed).steps)
      .map(({ step, facts }) => (step === 'domain' ? facts['emailVerified'] : undefined))
      .find((said) => said === true || said === null);
    return told === undefined ? undefined : told === true;
  }

  /** Writes the record in the transaction that ends the attempt. */
  async record(tx: Tx, caller: Pick<Caller, 'origin'>, ended: EndedAttempt): Promise<void> {
    const { row, written } = this.prepare(caller, ended);
    written(await this.attemptsRepository.record(tx, row));
  }

  /** The record of an attempt, for a statement that writes more than that. */
  prepare({ origin }: Pick<Caller, 'origin'>, ended: EndedAttempt): PreparedRecord {
    const { id, kind, protocol, result, code, userId, evidence } = ended;
    const { id: providerId, name: providerName, partnerId, orgId, configVersion } = ended.provider ?? NO_PROVIDER;
    const row = attemptRow({
      id,
      partnerId,
      orgId,
      providerId,
      providerName,
      kind,
      protocol,
      result,
      code,
      email: evidence.identity?.email ?? null,
      userId,
      ip: origin.ip,
      userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      requestId: origin.requestId,
      configVersion,
      setupLinkId: ended.setupLinkId ?? null,
      traceSealed: this.keyRing.seal(JSON.stringify(traceOf(ended)), traceContext(id)),
    });
    const written = (fault: string | null): void => {
      if (fault !== null) this.log.error({ attemptId: id, fault }, 'the record of a sign-in could not be written');
    };
    return { row, written };
  }

  /** Deletes the attempts that are older than SSO_ATTEMPT_DAYS. */
  @Every(EVERY_MS, 'records of old sign-in attempts')
  async sweep(): Promise<void> {
    const deleteBatch = (): Promise<number> =>
      this.work.background(asService('identity'), (tx) =>
        this.attemptsRepository.deleteOld(tx, this.config.ssoAttemptDays),
      );
    let deleted = await deleteBatch();
    while (deleted > 0) deleted = await deleteBatch();
  }
}
