import { asService } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, CompactSign, createLocalJWKSet, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { CheckpointsRepository, type StoredKey } from './checkpoints.repository.ts';

export const ALGORITHM = 'EdDSA';
const SYSTEM = asService('audit');
const contextOf = (kid: string): string => `checkpoint_key:${kid}`;

/** The keys that sign checkpoints: made once, sealed in the database; the newest signs, all verify. */
@Injectable()
export class CheckpointKeys {
  private signing: Promise<{ key: CryptoKey | Uint8Array; kid: string }> | null = null;

  constructor(private readonly work: UnitOfWork, private readonly repository: CheckpointsRepository, private readonly keyRing: KeyRing) {}

  /** @returns a compact JWS */
  async sign(payload: string): Promise<string> {
    this.signing ??= this.signingKey();
    const { key, kid } = await this.signing;
    return new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: ALGORITHM, kid, typ: 'gatehouse-checkpoint+jws' }).sign(key);
  }

  /** Makes the first key when there is none; call before the first {@link sign}, for signing happens inside transactions. */
  async prepare(): Promise<void> {
    this.signing = this.signingKey();
    await this.signing;
  }

  /** The public keys, as a JWK set. */
  async publicKeys(): Promise<{ keys: JWK[] }> {
    const stored = await this.work.read(SYSTEM, (reader) => this.repository.keys(reader));
    return { keys: stored.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' })) };
  }

  async verifier(): Promise<ReturnType<typeof createLocalJWKSet>> {
    return createLocalJWKSet(await this.publicKeys());
  }

  private async signingKey(): Promise<{ key: CryptoKey | Uint8Array; kid: string }> {
    const { kid, sealedPrivateJwk } = await this.newestKey();
    return { kid, key: await importJWK(JSON.parse(this.keyRing.open(sealedPrivateJwk, contextOf(kid))) as JWK, ALGORITHM) };
  }

  private async newestKey(): Promise<StoredKey> {
    const fresh = await this.generate();
    return this.work.run(SYSTEM, async (tx) => {
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
    return { kid, publicJwk, sealedPrivateJwk: this.keyRing.seal(JSON.stringify(await exportJWK(privateKey)), contextOf(kid)) };
  }
}
