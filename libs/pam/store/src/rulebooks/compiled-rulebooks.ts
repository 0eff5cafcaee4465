import { RulebookChanged } from '@gatehouse/contracts-pam';
import { EventBus } from '@gatehouse/messaging';
import {
  compileRulebook,
  EffortShares,
  type Rulebook,
  type RulebookSize,
  type RulebookSource,
  sizeOf,
  stepsToCompile,
} from '@gatehouse/pam-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_ORGS = 10_000;
/** Memory limit of the cache, by a lower estimate of each rulebook's size. */
const MAX_BYTES = 128 * 1024 * 1024;
const RULE_BYTES = 1_000;
const LINE_BYTES = 200;

interface Compiled {
  readonly rulebook: Rulebook;
  readonly bytes: number;
}

/** Bytes per character: each text is stored both as written and folded. */
const CHARACTER_BYTES = 4;

/** Capped at the limit of the cache, so that even the largest rulebook is cached, if need be alone. */
const bytesOf = ({ rules, lines, characters }: RulebookSize): number =>
  Math.min(RULE_BYTES * (1 + rules) + LINE_BYTES * lines + CHARACTER_BYTES * characters, MAX_BYTES);

/**
 * Cache of compiled rulebooks: one per organisation, at the newest version that this instance has seen. The transaction
 * that stores a decision checks whether the version is current.
 */
@Injectable()
export class CompiledRulebooks {
  private readonly known = new LRUCache<string, Compiled>({
    max: MAX_ORGS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });

  private readonly shares = new EffortShares();

  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    bus: EventBus,
  ) {
    bus.listen(RulebookChanged, ({ data }) => this.forgetBelow(data.orgId, data.version));
  }

  get(orgId: string): Rulebook | null {
    return this.known.get(orgId)?.rulebook ?? null;
  }

  /**
   * Whether the organisation's rulebook may be loaded and compiled now. This keeps an organisation that changes its
   * rules continually within its share of the process.
   */
  mayCompile(orgId: string): boolean {
    return this.shares.hasLeft(orgId);
  }

  /** Null when the rulebook cannot be compiled; a technician then decides (invariant 5). */
  compile(source: RulebookSource): Rulebook | null {
    const size = sizeOf(source);
    this.shares.charge(source.orgId, stepsToCompile(size));
    try {
      const rulebook = compileRulebook(source);
      this.known.set(source.orgId, { rulebook, bytes: bytesOf(size) });
      return rulebook;
    } catch (error) {
      this.log.error(
        { err: error, orgId: source.orgId },
        'a rulebook could not be evaluated; its requests wait for a person',
      );
      return null;
    }
  }

  forgetBelow(orgId: string, version: number): void {
    const known = this.known.peek(orgId);
    if (known && known.rulebook.version < version) this.known.delete(orgId);
  }
}
