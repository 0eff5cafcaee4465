import { SIGN_OFFLINE_RULES, type OfflineRulesQuestion, type SignedOfflineRules } from '@gatehouse/contracts-identity';
import { OFFLINE_RULES_SECONDS, SigningKeysDropped } from '@gatehouse/contracts-identity';
import { EventBus } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** An agent gets a document that is valid for half its lifetime at least. */
const KEPT_MS = (OFFLINE_RULES_SECONDS / 2) * 1000;
const MAX_DOCUMENTS = 50_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
const SIGNED_WITHIN_MS = 3_000;

interface Kept {
  /** The state of the rules and of the device from which the document was made. */
  readonly state: string;
  readonly document: SignedOfflineRules;
}

/**
 * Signed documents, one for each device. `identity` has the keys and signs; the copies here are dropped with the keys,
 * and when events about dropped keys may have been missed.
 */
@Injectable()
export class OfflineDocuments {
  private readonly kept = new LRUCache<string, Kept>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ document }) => document.jws.length,
    ttl: KEPT_MS,
  });

  constructor(private readonly bus: EventBus) {
    bus.listen(SigningKeysDropped, () => this.kept.clear());
    bus.onGap(() => this.kept.clear());
  }

  get(deviceId: string, state: string): SignedOfflineRules | null {
    const known = this.kept.get(deviceId);
    return known?.state === state ? known.document : null;
  }

  /** @throws when the rules are not signed in time */
  async sign(question: OfflineRulesQuestion, state: string): Promise<SignedOfflineRules> {
    const document = await this.bus.request<SignedOfflineRules>(SIGN_OFFLINE_RULES, question, {
      timeoutMs: SIGNED_WITHIN_MS,
    });
    this.kept.set(question.deviceId, { state, document });
    return document;
  }
}
