import { asService, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { KeyRing, newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.ts';
import { factorContext } from '../factors/second-factors.ts';
import { Passwords } from '../passwords/passwords.ts';
import { foldEmail } from '../people/email.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';

/** Serialises replicas that start together; only the first finds no users. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.bootstrap_admin'))`;
const ANY_USER = `SELECT id FROM users LIMIT 1`;
const ADD_USER = `INSERT INTO users (id, email, name, status) VALUES ($1, $2, 'Administrator', 'active')`;
const ADD_PASSWORD = `INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)`;
const ADD_MEMBERSHIP = `INSERT INTO memberships (id, user_id, level, role_id) SELECT $1, $2, 'system', id FROM roles WHERE id = $3`;
const ADD_FACTOR = `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at) VALUES ($1, $2, 'totp', 'Authenticator app', $3, now())`;
const [ALL_PERMISSIONS] = SYSTEM_ROLES.filter(({ permissions }) => permissions.includes('*'));

/** Creates the first administrator of an empty system from `BOOTSTRAP_ADMIN_*`. */
@Injectable()
export class BootstrapAdmin implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly config: IdentityConfig,
    private readonly passwords: Passwords,
    private readonly keys: KeyRing,
    private readonly technicians: TechnicianFeed,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { bootstrapAdminEmail: email, bootstrapAdminPassword: password } = this.config;
    if (!email || !password) return;
    const passwordHash = await this.passwords.hash(password);
    const made = await this.work.background(asService('identity'), async (tx) => {
      await tx.query(LOCK);
      if (await tx.one(ANY_USER)) return false;
      await this.add(tx, foldEmail(email), passwordHash);
      return true;
    });
    if (made) this.log.info({ email }, 'the first administrator was made');
  }

  private async add(tx: Tx, email: string, passwordHash: string): Promise<void> {
    const userId = newId();
    await tx.query(ADD_USER, [userId, email]);
    await tx.query(ADD_PASSWORD, [userId, passwordHash]);
    await tx.query(ADD_MEMBERSHIP, [newId(), userId, ALL_PERMISSIONS?.id]);
    const { bootstrapAdminTotpSecret: secret } = this.config;
    const factorId = newId();
    if (secret)
      await tx.query(ADD_FACTOR, [
        factorId,
        userId,
        this.keys.seal(secret.replace(/=+$/, '').toUpperCase(), factorContext(factorId)),
      ]);
    await this.technicians.publish(tx, [userId]);
    tx.audit({
      action: 'user.create',
      resource: { type: 'user', id: userId, name: email },
      details: { bootstrap: true, scope: 'system' },
    });
  }
}
