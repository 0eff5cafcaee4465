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

/** Posts mail with the change that it tells of: both happen or neither. Sealed, because mails hold one-time links. */
@Injectable()
export class Mailer {
  constructor(private readonly keys: KeyRing) {}

  async post(tx: Tx, mail: Mail): Promise<void> {
    const id = newId();
    await tx.query(ADD, [id, this.keys.seal(JSON.stringify(mail), mailContext(id))]);
  }
}
