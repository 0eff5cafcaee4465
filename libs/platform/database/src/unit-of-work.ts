import {
  type Caller,
  type IdempotencyKey,
  ProblemError,
  type ServiceCaller,
  type TenantScope,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { KeyRing } from '@gatehouse/crypto';
import type { Tracing } from '@gatehouse/telemetry';
import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import {
  beginWith,
  commit,
  discardAfter,
  type Settings,
  transactionSettingsOf,
} from './connections/transaction-settings.ts';
import { isRetryable, rollBack } from './connections/database-errors.ts';
import { claim, recall, remember } from './idempotency.repository.ts';
import { insertOutbox, type OutboxRow } from './outbox.repository.ts';
import { AutocommitStatement, Reader, Tx } from './tx.ts';

const uuidArray = (ids: ReadonlySet<string>): string => `{${[...ids].join(',')}}`;

/**
 * The settings that row security reads (see platform-schema.ts): the second guard of a tenant's rows, besides the
 * conditions of each query. For the system, one setting is enough.
 */
export function contextSettings(scope: TenantScope): Readonly<Record<string, string>> {
  if (scope.partner === 'all') return { 'app.system': 'on' };
  return {
    'app.system': 'off',
    'app.partner_id': scope.partner ?? '',
    'app.org_ids': scope.orgs === 'all' ? '*' : uuidArray(scope.orgs),
  };
}

/**
 * How a request that is repeated under its Idempotency-Key is answered, when the first answer may not be given again:
 * one that grants something is made from the present state, and one with a secret is not made at all.
 * @example once(caller, caller.idempotency, work, { keep: ({ id }) => id, answer: (tx, id) => this.view(tx, id) })
 */
export interface Repetition<T, K> {
  /** What is stored of the first result: ids, and nothing that the state could contradict later. */
  readonly keep: (result: T) => K;
  /** The answer to the repetition. It may refuse, and changes nothing. */
  readonly answer: (reader: Reader, kept: K) => Promise<T>;
}

/** @param stored what `remember` was given: the result itself, or what the repetition keeps of it */
function repeated<T, K>(reader: Reader, stored: unknown, repetition?: Repetition<T, K>): Promise<T> {
  return repetition ? repetition.answer(reader, stored as K) : Promise.resolve(stored as T);
}

/**
 * For a result that holds a secret: only the id of what was made is stored, and a repetition is refused with it. A
 * null result, which is a refusal that left a record, is repeated.
 * @param idOf the id of what was made
 */
export const shownOnce = <T extends object | null>(
  idOf: (result: NonNullable<T>) => string,
): Repetition<T, string | null> => ({
  keep: (result) => result && idOf(result),
  answer: (_, id) =>
    id === null
      ? Promise.resolve(null as T)
      : Promise.reject(
          new ProblemError('idempotency_secret_shown', 'This was already created; its secret was shown then.', { id }),
        ),
});

const MAX_TRIES = 3;
/** Waits for a connection below this are not subtracted from the lock timeout. */
const NOTICEABLE_MS = 100;
const MIN_LOCK_WAIT_MS = 100;
const jitterMs = (attempt: number): number => Math.random() * 20 * 2 ** attempt;

/** Decides when a request may take a connection. */
export interface Admission {
  read<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
  write<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

export interface UnitOfWorkOptions {
  readonly source: string;
  readonly requests: DataSource;
  readonly admission: Admission;
  /** Separate connections for background work. */
  readonly background: DataSource;
  /** Connections whose tenant context is always the system's. */
  readonly system: DataSource;
  /**
   * Budget of a request for waiting for a connection and for a lock together: time spent on the connection is
   * subtracted from the lock timeout.
   */
  readonly lockTimeoutMs: number;
  readonly keys: KeyRing;
  readonly tracing: Tracing | null;
}

/**
 * The only access to the rows. `run`, `background` and `once` are the only ways to write: state, audit records and
 * events commit together or not at all (invariant 2). It uses one connection and one transaction, whose first statement
 * sets the tenant context.
 */
export class UnitOfWork {
  private readonly commits = new EventEmitter();

  constructor(private readonly options: UnitOfWorkOptions) {}

  /** Calls the listener after each commit that added rows to the outbox, with those rows. */
  onCommit(listener: (facts: readonly OutboxRow[]) => void): void {
    this.commits.on('commit', listener);
  }

  /** Tells the listeners about rows that a caller's own statement committed, as `run` does for its transactions. */
  announce(facts: readonly OutboxRow[]): void {
    this.commits.emit('commit', facts);
  }

  /**
   * Runs `work` in a transaction on the connections of requests. Deadlocks, serialisation failures and violated foreign
   * keys are retried, so `work` must touch nothing but `tx`.
   */
  run<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { admission, requests } = this.options;
    return admission.write(caller, () => this.write(requests, caller, work));
  }

  /** Like {@link run}, on the connections of background work: sweeps, consumers, upkeep. */
  background<T>(caller: ServiceCaller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.write(this.options.background, caller, work);
  }

  /**
   * Like {@link run}. The result is stored with the change, and a repeated request with the same key gets it back
   * without a second effect.
   * @param key undefined for a request without an Idempotency-Key: nothing is stored
   * @param repetition for a result that may not be repeated as it was: one that grants something, or holds a secret
   * @throws ProblemError idempotency_key_reused when the key came with another body
   */
  once<T, K = T>(
    caller: UserCaller,
    key: IdempotencyKey | undefined,
    work: (tx: Tx) => Promise<T>,
    repetition?: Repetition<T, K>,
  ): Promise<T> {
    if (!key) return this.run(caller, work);
    const { keys } = this.options;
    return this.run(caller, async (tx) => {
      const known = await claim(tx, key, keys);
      if (known) return repeated(tx, known.result, repetition);
      const result = await work(tx);
      await remember(tx, key, repetition ? repetition.keep(result) : result, keys);
      return result;
    });
  }

  /**
   * Returns the answer to a repeated request, or null when it has not run. Use it where an operation's own success
   * makes the checks before its `once` fail, so that a repeated request gets its result and not a problem.
   * @param repetition the one given to `once`
   * @throws ProblemError idempotency_key_reused when the key came with another body
   * @example const known = await this.work.recalled<MergeJobResponse>(caller, caller.idempotency);
   */
  recalled<T, K = T>(
    caller: UserCaller,
    key: IdempotencyKey | undefined,
    repetition?: Repetition<T, K>,
  ): Promise<{ readonly result: T } | null> {
    if (!key) return Promise.resolve(null);
    return this.read(caller, async (reader) => {
      const known = await recall(reader, key, this.options.keys);
      return known && { result: await repeated(reader, known.result, repetition) };
    });
  }

  /**
   * Runs one statement as its own transaction, in one round trip; without BEGIN and COMMIT unless a pooler is in front
   * of the server. For changes by the service itself that write no audit record and no event.
   */
  autocommit<T>(caller: ServiceCaller, work: (statement: AutocommitStatement) => Promise<T>): Promise<T> {
    const { system } = this.options;
    const settings = transactionSettingsOf(system);
    const begin = settings && beginWith('READ WRITE', settings);
    return triedAgain(() =>
      this.traced(caller, () =>
        connected(system, async (client, { manager }) => work(new AutocommitStatement(caller, client, manager, begin))),
      ),
    );
  }

  /** Reads in the caller's tenant context; the transaction cannot write. */
  read<T>(caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T> {
    const { admission, requests } = this.options;
    return admission.read(caller, () => this.readFrom(requests, caller, work));
  }

  /** Like {@link read}, on the connections of background work. */
  backgroundRead<T>(caller: ServiceCaller, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.readFrom(this.options.background, caller, work);
  }

  /** Runs a transaction within the caller's trace, if there is one; its events belong to that trace. */
  async traced<T>(caller: Caller, work: (caller: Caller) => Promise<T>): Promise<T> {
    const { tracing, source } = this.options;
    if (!tracing || !caller.origin.traceparent) return work(caller);
    const span = tracing.start('transaction', {
      kind: 'internal',
      parent: caller.origin.traceparent,
      attributes: { 'db.system.name': 'postgresql', 'db.namespace': source },
    });
    try {
      const result = await work({ ...caller, origin: { ...caller.origin, traceparent: span.traceparent } });
      span.end();
      return result;
    } catch (error) {
      span.fail(error instanceof ProblemError ? error.code : error instanceof Error ? error.name : 'Error');
      throw error;
    }
  }

  private readFrom<T>(source: DataSource, caller: Caller, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.traced(caller, () =>
      this.transaction(source, beginning(caller, 'READ ONLY'), async (client, runner) => {
        const result = await work(new Reader(caller, client, runner.manager));
        await commit(client);
        return result;
      }),
    );
  }

  private write<T>(source: DataSource, caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return triedAgain(() => this.traced(caller, (traced) => this.attempt(source, traced, work)));
  }

  private async attempt<T>(source: DataSource, caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    let facts: readonly OutboxRow[] = [];
    const result = await this.transaction(source, beginning(caller, 'READ WRITE'), async (client, runner) => {
      const tx = new Tx(this.options.source, caller, client, runner.manager);
      const outcome = await work(tx);
      facts = tx.pendingOutbox;
      await commit(client, facts.length > 0 ? insertOutbox(client, facts) : null);
      return outcome;
    });
    if (facts.length > 0) this.announce(facts);
    return result;
  }

  /**
   * BEGIN is sent together with the first statement. Without BEGIN there is no tenant context, and row security hides
   * every row.
   */
  private transaction<T>(
    source: DataSource,
    begin: (settings: Settings) => string,
    work: (client: PoolClient, runner: QueryRunner) => Promise<T>,
  ): Promise<T> {
    return connected(source, async (client, runner, waitedMs) => {
      const limits = lockTimeoutAfter(waitedMs, this.options.lockTimeoutMs);
      const begun = client.query(begin({ ...transactionSettingsOf(source), ...limits }));
      begun.catch(() => undefined);
      try {
        const result = await work(client, runner);
        await begun;
        return result;
      } catch (error) {
        await rollBack(client);
        await begun;
        throw error;
      }
    });
  }
}

/** The BEGIN of a transaction in the caller's tenant context, with other settings. */
const beginning =
  (caller: Caller, mode: 'READ WRITE' | 'READ ONLY') =>
  (settings: Settings): string =>
    beginWith(mode, { ...settings, ...contextSettings(caller.scope) });

async function connected<T>(
  source: DataSource,
  work: (client: PoolClient, runner: QueryRunner, waitedMs: number) => Promise<T>,
): Promise<T> {
  if (!source.isInitialized)
    throw new ProblemError('unavailable', 'The database cannot be reached at the moment.', { retryAfterSeconds: 2 });
  const runner = source.createQueryRunner();
  const began = performance.now();
  try {
    const client = (await runner.connect()) as PoolClient;
    return await work(client, runner, performance.now() - began).catch((error: unknown) => {
      discardAfter(error, source, client);
      throw error;
    });
  } finally {
    await runner.release();
  }
}

async function triedAgain<T>(once: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once();
    } catch (error) {
      if (!isRetryable(error) || attempt === MAX_TRIES) throw error;
      await wait(jitterMs(attempt));
    }
  }
}

/** Overrides the lock timeout of the session when the wait for a connection has used up some of it. */
const lockTimeoutAfter = (waitedMs: number, limitMs: number): Settings | null =>
  waitedMs < NOTICEABLE_MS ? null : { lock_timeout: String(Math.max(MIN_LOCK_WAIT_MS, Math.ceil(limitMs - waitedMs))) };
