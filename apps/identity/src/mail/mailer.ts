import { KeyRing, newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export const mailContext = (id: string): string => `mail:${id}`;
const ADD = `INSERT INTO mail_outbox (id, mail_sealed) VALUES ($1, $2)`;

/**
 * Stores a mail in the transaction of the change that it reports, so both are committed or neither. Mails are sealed
 * because they contain one-time links.
 */
@Injectable()
export class Mailer {
  constructor(private readonly keys: KeyRing) {}

  async post(tx: Tx, mail: Mail): Promise<void> {
    const id = newId();
    await tx.query(ADD, [id, this.keys.seal(JSON.stringify(mail), mailContext(id))]);
  }
}
