import { asService, type Caller } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import {
  calculateJwkThumbprint,
  CompactSign,
  createLocalJWKSet,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { CheckpointsRepository, type StoredKey } from './checkpoints.repository.ts';

export const ALGORITHM = 'EdDSA';
/** What a signature is for: no other token of these keys passes as a checkpoint. */
export const CHECKPOINT_TYPE = 'gatehouse-checkpoint+jws';
const SYSTEM = asService('audit');
/** The context to which a sealed private key is bound. */
export const checkpointKeyContext = (kid: string): string => `checkpoint_key:${kid}`;

interface SigningKey {
  readonly key: CryptoKey | Uint8Array;
  readonly kid: string;
}

/** The keys that sign checkpoints, sealed in the database. The newest key signs; all of them verify. */
@Injectable()
export class CheckpointKeys {
  private signing: Promise<SigningKey> | null = null;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: CheckpointsRepository,
    private readonly keyRing: KeyRing,
  ) {}

  /** @returns a compact JWS */
  async sign(payload: string): Promise<string> {
    this.signing ??= this.signingKey();
    const { key, kid } = await this.signing;
    return new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: CHECKPOINT_TYPE })
      .sign(key);
  }

  /**
   * Creates the first key if there is none. Call this before the first {@link sign}, because signing happens inside
   * transactions.
   */
  async prepare(): Promise<void> {
    this.signing = this.signingKey();
    await this.signing;
  }

  /**
   * Adds a key that signs from now on; signatures of earlier keys remain valid. Other replicas adopt it in their next
   * round.
   */
  async rotate(caller: Caller): Promise<{ kid: string }> {
    const fresh = await this.generate();
    await this.work.run(caller, async (tx) => {
      await this.repository.addKey(tx, fresh);
      tx.audit({
        action: 'checkpoint_key.rotate',
        resource: { type: 'checkpoint_key', id: null, name: fresh.kid },
        partnerId: null,
        orgId: null,
      });
    });
    await this.follow();
    return { kid: fresh.kid };
  }

  /** Adopts the newest key, which another replica may have created. */
  async follow(): Promise<void> {
    const newest = (await this.work.backgroundRead(SYSTEM, (reader) => this.repository.keys(reader))).at(-1);
    if (newest) this.signing = Promise.resolve(await this.opened(newest));
  }

  /** The public keys, as a JWK set. */
  async publicKeys(within?: Reader): Promise<{ keys: JWK[] }> {
    const stored = await (within
      ? this.repository.keys(within)
      : this.work.backgroundRead(SYSTEM, (reader) => this.repository.keys(reader)));
    return { keys: stored.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' })) };
  }

  /** @param within the transaction in which to read the keys, if one is open */
  async verifier(within?: Reader): Promise<ReturnType<typeof createLocalJWKSet>> {
    return createLocalJWKSet(await this.publicKeys(within));
  }

  private async signingKey(): Promise<SigningKey> {
    return this.opened(await this.newestKey());
  }

  private async opened({ kid, sealedPrivateJwk }: StoredKey): Promise<SigningKey> {
    return {
      kid,
      key: await importJWK(
        JSON.parse(this.keyRing.open(sealedPrivateJwk, checkpointKeyContext(kid))) as JWK,
        ALGORITHM,
      ),
    };
  }

  private async newestKey(): Promise<StoredKey> {
    const fresh = await this.generate();
    return this.work.background(SYSTEM, async (tx) => {
      await this.repository.lockKeys(tx);
      const known = (await this.repository.keys(tx)).at(-1);
      if (!known) await this.repository.addKey(tx, fresh);
      return known ?? fresh;
    });
  }

  private async generate(): Promise<StoredKey> {
    const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
    const publicJwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    return {
      kid,
      publicJwk,
      sealedPrivateJwk: this.keyRing.seal(JSON.stringify(await exportJWK(privateKey)), checkpointKeyContext(kid)),
    };
  }
}
