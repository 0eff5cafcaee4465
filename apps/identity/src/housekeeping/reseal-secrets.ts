import { asService } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, Periodic } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { factorContext } from '../mfa/second-factors.ts';
import { clientSecretContext } from '../sso-providers/sso-provider.entity.ts';
import { signingKeyContext } from '../tokens/signing-keys.ts';

const EVERY_MS = 60_000;

interface SealedColumn {
  readonly name: string;
  readonly stale: string;
  readonly store: string;
  readonly context: (id: string) => string;
}

const column = (table: string, id: string, sealed: string, context: (id: string) => string): SealedColumn => ({
  name: `${table}.${sealed}`,
  stale: `SELECT ${id}::text AS id, ${sealed} AS sealed FROM ${table} WHERE ${sealed} IS NOT NULL AND NOT starts_with(${sealed}, $1) LIMIT 100 FOR UPDATE SKIP LOCKED`,
  store: `UPDATE ${table} SET ${sealed} = $2 WHERE ${id}::text = $1`,
  context,
});

/** What lives longer than a change of keys takes. Tokens and mail on their way open with the older key until they are gone; what an identity provider sent is stored anew at each sign-in. */
const COLUMNS = [
  column('signing_keys', 'kid', 'private_sealed', signingKeyContext),
  column('mfa_factors', 'id', 'secret_sealed', factorContext),
  column('sso_providers', 'id', 'client_secret_sealed', clientSecretContext),
];

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

/** After a new key has become the first of `SECRET_ENCRYPTION_KEYS`, seals everything again under it, so that the old one can go. */
@Injectable()
export class ResealSecrets implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: Periodic;

  constructor(private readonly work: UnitOfWork, private readonly keys: KeyRing, @Inject(LOGGER) private readonly log: Logger) {
    this.rounds = new Periodic('secrets under an older key', EVERY_MS, () => this.round(), log);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  async round(): Promise<void> {
    for (const sealedColumn of COLUMNS) {
      let resealed = 0;
      for (let batch = -1; batch !== 0; resealed += batch) batch = await this.work.run(asService('identity'), (tx) => this.batch(tx, sealedColumn));
      if (resealed > 0) this.log.info({ column: sealedColumn.name, count: resealed }, 'secrets were sealed again under the first key');
    }
  }

  private async batch(tx: Tx, { stale, store, context }: SealedColumn): Promise<number> {
    const rows = await tx.query<SealedRow>(stale, [`v1.${this.keys.primaryId}.`]);
    for (const { id, sealed } of rows) await tx.query(store, [id, this.keys.seal(this.keys.openBytes(sealed, context(id)), context(id))]);
    return rows.length;
  }
}
