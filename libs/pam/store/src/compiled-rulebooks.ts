import { RulebookChanged } from '@gatehouse/contracts-pam';
import { EventBus } from '@gatehouse/messaging';
import { compileRulebook, type Rulebook, type RulebookSource } from '@gatehouse/pam-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_ORGS = 10_000;
/** Of all rulebooks together, by what their parts take at least. */
const MAX_BYTES = 128 * 1024 * 1024;
const RULE_BYTES = 1_000;
const LINE_BYTES = 200;

interface Compiled {
  readonly rulebook: Rulebook;
  readonly bytes: number;
}

const linesOf = (lists: readonly (readonly unknown[])[]): number => lists.reduce((sum, { length }) => sum + length, 0);

/** No more than all of them may take: the largest rulebook is kept too, if need be alone. */
function bytesOf({ rules, signerGroups, policies }: RulebookSource): number {
  const lines = linesOf([...signerGroups.values()]) + linesOf(policies.map((policy) => policy.rules));
  return Math.min(RULE_BYTES * (1 + rules.length) + LINE_BYTES * lines, MAX_BYTES);
}

/**
 * Compiled rulebooks, one per organisation, at the newest version that this instance has come across. Whether it is the
 * current one is not judged here but in the transaction that stores a decision.
 */
@Injectable()
export class CompiledRulebooks {
  private readonly known = new LRUCache<string, Compiled>({ max: MAX_ORGS, maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });

  constructor(@Inject(LOGGER) private readonly log: Logger, bus: EventBus) {
    bus.listen(RulebookChanged, ({ data }) => this.forgetBelow(data.orgId, data.version));
  }

  get(orgId: string): Rulebook | null {
    return this.known.get(orgId)?.rulebook ?? null;
  }

  /** Null when the rulebook cannot be used: a person decides then (invariant 5). */
  compile(source: RulebookSource): Rulebook | null {
    try {
      const rulebook = compileRulebook(source);
      this.known.set(source.orgId, { rulebook, bytes: bytesOf(source) });
      return rulebook;
    } catch (error) {
      this.log.error({ err: error, orgId: source.orgId }, 'a rulebook could not be evaluated; its requests wait for a person');
      return null;
    }
  }

  forgetBelow(orgId: string, version: number): void {
    const known = this.known.peek(orgId);
    if (known && known.rulebook.version < version) this.known.delete(orgId);
  }
}
