import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import { SigningKeysDropped } from '@gatehouse/contracts-identity';
import { KeyRing, newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every, LOGGER, type Logger, untilAvailable } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import { KNOWN_AFTER_SECONDS, SIGNING_ALGORITHM, signingKeyContext, SigningKeys } from './signing-keys.ts';
import { SigningKeysRepository } from './signing-keys.repository.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Rotates the keys of access tokens: one signs, the next is already published, and retired ones stay until their tokens
 * have expired.
 */
@Injectable()
export class SigningKeyRotation implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly signingKeysRepository: SigningKeysRepository,
    private readonly keyRing: KeyRing,
    private readonly signingKeys: SigningKeys,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await untilAvailable(this.log, () =>
      this.work.background(asService('identity'), async (tx) => {
        await this.add(tx, 'current');
        await this.add(tx, 'next');
      }),
    );
    // Fails the start of a replica that cannot sign, so that it does not replace one that can.
    await untilAvailable(this.log, () => this.signingKeys.signing());
  }

  /**
   * Makes the next key the signing key and publishes a new next one. The old key verifies until its tokens have
   * expired. When several replicas rotate at once, one succeeds.
   * @throws ProblemError conflict while verifiers may not know the next key yet
   */
  async rotate(caller: Caller): Promise<{ kid: string }> {
    const { kid: old } = await this.signingKeys.signing();
    await this.work.run(caller, async (tx) => {
      await this.requireKnownNext(tx);
      if (!(await this.signingKeysRepository.retire(tx, old))) return;
      await this.signingKeysRepository.promoteNext(tx);
      await this.add(tx, 'next');
      await this.dropRetired(tx);
      this.audit(tx, old, { emergency: false });
    });
    return this.startOver();
  }

  /**
   * For keys that may have leaked: deletes all of them. Existing access tokens are refused from now on; refreshing
   * issues new ones.
   */
  async replaceAll(caller: Caller): Promise<{ kid: string }> {
    await this.work.run(caller, async (tx) => {
      const kids = await this.signingKeysRepository.deleteAll(tx);
      await this.add(tx, 'current');
      await this.add(tx, 'next');
      tx.emit(SigningKeysDropped, { kids }, { aggregateId: 'signing_keys' });
      this.audit(tx, null, { emergency: true });
    });
    return this.startOver();
  }

  private async requireKnownNext(tx: Tx): Promise<void> {
    const seconds = await this.signingKeysRepository.ageOfNext(tx);
    const missing = KNOWN_AFTER_SECONDS - seconds;
    if (missing > 0)
      throw new ProblemError(
        'conflict',
        `The next key was published ${seconds} s ago, and not every verifier knows it yet; try again in ${missing} s.`,
        { retryAfterSeconds: missing },
      );
  }

  private audit(tx: Tx, name: string | null, details: { emergency: boolean }): void {
    tx.audit({
      action: 'signing_key.rotate',
      resource: { type: 'signing_key', id: null, name },
      partnerId: null,
      orgId: null,
      details,
    });
  }

  private async startOver(): Promise<{ kid: string }> {
    this.signingKeys.forget();
    return { kid: (await this.signingKeys.signing()).kid };
  }

  @Every(HOUR_MS, 'signing keys')
  async rotateWhenDue(): Promise<void> {
    const due = await this.work.backgroundRead(asService('identity'), (reader) =>
      this.signingKeysRepository.isRotationDue(reader),
    );
    if (due) await this.rotate(asService('identity'));
    else await this.work.background(asService('identity'), (tx) => this.dropRetired(tx));
  }

  /** Says which keys are gone: documents under them may be kept elsewhere, and can no longer be verified. */
  private async dropRetired(tx: Tx): Promise<void> {
    const kids = await this.signingKeysRepository.deleteRetired(tx);
    if (kids.length > 0) tx.emit(SigningKeysDropped, { kids }, { aggregateId: 'signing_keys' });
  }

  private async add(tx: Tx, state: 'current' | 'next'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const kid = newId();
    const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: SIGNING_ALGORITHM, use: 'sig' };
    const privateJwk = JSON.stringify(await exportJWK(privateKey));
    const privateSealed = this.keyRing.seal(privateJwk, signingKeyContext(kid));
    await this.signingKeysRepository.insertIfMissing(tx, { kid, state, publicJwk, privateSealed });
  }
}
