import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { MAX_AGE_MS } from './event-continuity.ts';

/** The age at which keys are fetched again; the old keys still verify until the new ones arrive. */
const REFRESH_MS = 1_000;
/** An unknown key id may belong to a new key. The interval bounds how often foreign tokens can cause a fetch. */
const UNKNOWN_KEY_MS = 500;

interface Known {
  readonly keyOf: JWTVerifyGetKey;
  readonly at: number;
}

/**
 * The public keys of access tokens (RFC 7517), as identity publishes them. A short outage of identity has no effect.
 */
export class KeySet {
  private known: Known | null = null;
  private pending: Promise<Known> | null = null;
  /** The last request for the keys was not answered. */
  private isSilent = false;

  /**
   * @param fetchKeys rejects within about a second if identity does not answer
   * @param maySpeakFor whether keys fetched at this moment may be used while newer ones cannot be fetched
   */
  constructor(
    private readonly fetchKeys: () => Promise<JSONWebKeySet>,
    private readonly maySpeakFor: (at: number) => boolean,
  ) {}

  /** @throws JWKSNoMatchingKey, or the error of `fetchKeys` if there are no usable keys */
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
    // An error is ignored here: a request for which these keys are too old reports it.
    if (ageOf(known) >= REFRESH_MS) this.refreshed().catch(() => undefined);
    return known;
  }

  private renewed(known: Known | null): Known | Promise<Known> {
    const refreshed = this.refreshed();
    // The fetch under way may have gone to a frozen replica, so a failure is retried once.
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
