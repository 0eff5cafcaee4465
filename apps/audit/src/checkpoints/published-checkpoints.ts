import { defineEvent, type EventBundle, type EventEnvelope, eventsIn } from '@gatehouse/contracts-core';
import { canonicalJson } from '@gatehouse/crypto';
import type { Reader } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { type Logger, LOGGER } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { compactVerify, type createLocalJWKSet } from 'jose';
import { ChainsRepository } from '../chain/chains.repository.ts';
import { SYSTEM_CHAIN } from '../chain/link.ts';
import { ALGORITHM, CHECKPOINT_TYPE, CheckpointKeys } from './checkpoint-keys.ts';
import { Checkpoint } from './checkpoints.repository.ts';

export type Verifier = ReturnType<typeof createLocalJWKSet>;

/** Whether one of the keys has signed exactly the members of the checkpoint. */
export async function isSigned({ jws, chain, length, head, signedAt }: Checkpoint, keys: Verifier): Promise<boolean> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws, keys, { algorithms: [ALGORITHM] });
    if (protectedHeader.typ !== CHECKPOINT_TYPE) return false;
    return Buffer.from(payload).toString() === canonicalJson({ chain, length, head, signedAt });
  } catch {
    return false;
  }
}

/**
 * Each chain has a subject of its own. The stream holds older checkpoints of all chains under
 * `checkpoint.chain.signed.v1`.
 */
export const checkpointSigned = (chain: string) =>
  defineEvent(`checkpoint.${chain as Lowercase<string>}.signed.v1`, Checkpoint);

const CHAIN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isChain = (name: string): boolean => name === SYSTEM_CHAIN || CHAIN.test(name);

/** Stands for an unreadable checkpoint; its signature is never valid. */
const unreadable = (chain: string): Checkpoint => ({ chain, length: 1, head: '', signedAt: '', jws: '' });

/** The checkpoints that the broker keeps, which a superuser of the database cannot remove. */
@Injectable()
export class PublishedCheckpoints {
  private readonly contradicted = new Set<string>();

  constructor(
    private readonly bus: EventBus,
    private readonly chains: ChainsRepository,
    private readonly keys: CheckpointKeys,
    @Inject(LOGGER) private readonly log: Logger,
    metrics: Metrics,
  ) {
    const help = 'Chains that contradict their newest published checkpoint, as far as this process has compared them';
    const gauge = metrics.gauge('gatehouse_audit_contradicted_chains', help);
    metrics.atScrape([gauge], () => Promise.resolve([{ of: gauge, value: this.contradicted.size }]));
  }

  /**
   * Returns the newest published checkpoint of a chain, or null; does not verify its signature. Read it before the
   * chain: a checkpoint is published after its entries were committed.
   * @throws Error if the broker does not answer
   */
  async newest(chain: string): Promise<Checkpoint | null> {
    if (!isChain(chain)) return null;
    const text = await this.bus.readBack(checkpointSigned(chain).subject);
    return text === null ? null : checkpointIn(text, chain);
  }

  /**
   * The chains that have a published checkpoint.
   * @throws Error if the broker does not answer
   */
  async names(): Promise<string[]> {
    const subjects = await this.bus.stored(checkpointSigned('*').subject);
    return subjects.map((subject) => subject.split('.')[1] ?? '').filter(isChain);
  }

  /** Whether the checkpoint is genuine and the chain still has the entry that it covers. */
  async isKept(reader: Reader, published: Checkpoint): Promise<boolean> {
    const { chain, length, head } = published;
    const hash = await this.chains.hashAt(reader, chain, length);
    const kept = hash === head && (await isSigned(published, await this.keys.verifier(reader)));
    if (kept) this.contradicted.delete(chain);
    else this.noteContradiction(published);
    return kept;
  }

  private noteContradiction({ chain, length }: Checkpoint): void {
    if (this.contradicted.has(chain)) return;
    this.contradicted.add(chain);
    this.log.error(
      { chain, publishedLength: length },
      'a chain of the audit log contradicts its newest published checkpoint',
    );
  }
}

function checkpointIn(text: string, chain: string): Checkpoint {
  try {
    const data = eventsIn(JSON.parse(text) as EventEnvelope<Checkpoint> | EventBundle).at(-1)?.data as Checkpoint;
    return Number.isSafeInteger(data.length) && data.length > 0 ? { ...data, chain } : unreadable(chain);
  } catch {
    return unreadable(chain);
  }
}
