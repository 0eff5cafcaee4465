import { asService } from '@gatehouse/contracts-core';
import { SigningKeysDropped } from '@gatehouse/contracts-identity';
import { KeyRing } from '@gatehouse/crypto';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import type { JSONWebKeySet } from 'jose';
import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { SigningKeysRepository } from './signing-keys.repository.ts';

export const SIGNING_ALGORITHM = 'ES256';
/** How long a replica caches the signing keys; a new key is published far longer before it signs. */
const CACHE_MS = 1_000;
/** How long verifiers may cache the key set. A key signs only after every such cache has expired. */
export const JWKS_MAX_AGE_SECONDS = 300;
export const KNOWN_AFTER_SECONDS = JWKS_MAX_AGE_SECONDS + CACHE_MS / 1000;

export interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

interface KeySet {
  readonly signing: SigningKey;
  readonly jwks: JSONWebKeySet;
  readonly readAt: number;
}

/** Binds a sealed private key to its row. */
export const signingKeyContext = (kid: string): string => `signing_key:${kid}`;

/** The keys of access tokens as this replica knows them, read again at most once a second. */
@Injectable()
export class SigningKeys {
  private known: Promise<KeySet> | null = null;

  constructor(
    private readonly work: UnitOfWork,
    private readonly signingKeysRepository: SigningKeysRepository,
    private readonly keyRing: KeyRing,
    bus: EventBus,
  ) {
    bus.listen(SigningKeysDropped, () => this.forget());
    bus.onGap(() => this.forget());
  }

  async signing(): Promise<SigningKey> {
    return (await this.current()).signing;
  }

  /** RFC 7517: current, next and retiring keys, public parts only. */
  async jwks(): Promise<JSONWebKeySet> {
    return (await this.current()).jwks;
  }

  /** Makes the next use read the keys from the database. */
  forget(): void {
    this.known = null;
  }

  private async current(): Promise<KeySet> {
    const known = await this.known?.catch(() => null);
    if (known && performance.now() - known.readAt < CACHE_MS) return known;
    this.known = this.work.backgroundRead(asService('identity'), (reader) => this.load(reader));
    return this.known;
  }

  private async load(reader: Reader): Promise<KeySet> {
    const rows = await this.signingKeysRepository.list(reader);
    const current = rows.find(({ state }) => state === 'current');
    if (!current) throw new Error('there is no current signing key');
    const key = createPrivateKey({
      key: JSON.parse(this.keyRing.open(current.privateSealed, signingKeyContext(current.kid))) as JsonWebKey,
      format: 'jwk',
    });
    return {
      signing: { kid: current.kid, key },
      jwks: { keys: rows.map(({ publicJwk }) => publicJwk) },
      readAt: performance.now(),
    };
  }
}
