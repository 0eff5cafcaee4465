import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { MAX_AGE_MS } from './max-age.ts';

/** From then on the keys are asked for anew, while the old ones go on verifying. */
const REFRESH_MS = 1_000;
/** An unknown key may be a new one; strangers' tokens make the keys be asked for only so often. */
const UNKNOWN_KEY_MS = 500;

interface Known {
  readonly keyOf: JWTVerifyGetKey;
  readonly at: number;
}

/**
 * The public keys of access tokens (RFC 7517), as identity publishes them. A replica of identity that is silent for a
 * moment is not noticed.
 */
export class KeySet {
  private known: Known | null = null;
  private pending: Promise<Known> | null = null;
  /** Identity let the last question for the keys go unanswered. */
  private isSilent = false;

  /**
   * @param fetchKeys rejects within a second or so when there is no answer
   * @param maySpeakFor whether keys that were asked for at this moment may stand in for those that cannot be had
   */
  constructor(
    private readonly fetchKeys: () => Promise<JSONWebKeySet>,
    private readonly maySpeakFor: (at: number) => boolean,
  ) {}

  /** @throws JWKSNoMatchingKey, or what `fetchKeys` throws when nothing is known any more */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    const known = await this.current();
    try {
      return await known.keyOf(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || ageOf(known) < UNKNOWN_KEY_MS) throw error;
      return (await this.refreshed()).keyOf(header, token);
    }
  };

  private current(): Known | Promise<Known> {
    const { known } = this;
    if (known === null || ageOf(known) >= MAX_AGE_MS) return this.renewed(known);
    // Whoever needs keys when these are too old hears why there are none.
    if (ageOf(known) >= REFRESH_MS) this.refreshed().catch(() => undefined);
    return known;
  }

  private renewed(known: Known | null): Known | Promise<Known> {
    const refreshed = this.refreshed();
    // What is under way may have gone to the one replica that is silent.
    if (known === null || !this.maySpeakFor(known.at)) return refreshed.catch(() => this.refreshed());
    const orKnown = refreshed.catch(() => known);
    return this.isSilent ? known : orKnown;
  }

  private refreshed(): Promise<Known> {
    this.pending ??= this.fetch().finally(() => (this.pending = null));
    return this.pending;
  }

  private async fetch(): Promise<Known> {
    const at = performance.now();
    const keys = await this.fetchKeys().catch((error: unknown) => {
      this.isSilent = true;
      throw error;
    });
    this.isSilent = false;
    this.known = { keyOf: createLocalJWKSet(keys), at };
    return this.known;
  }
}

const ageOf = ({ at }: Known): number => performance.now() - at;
