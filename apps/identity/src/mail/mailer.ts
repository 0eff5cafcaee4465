import { KeyRing, newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MailOutboxRepository } from './mail-outbox.repository.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Absent in mails that an earlier release stored. */
  readonly html?: string;
}

export const mailContext = (id: string): string => `mail:${id}`;

/**
 * Stores a mail in the transaction of the change that it reports, so both are committed or neither. Mails are sealed
 * because they contain one-time links.
 */
@Injectable()
export class Mailer {
  constructor(
    private readonly keys: KeyRing,
    private readonly mailOutboxRepository: MailOutboxRepository,
  ) {}

  async post(tx: Tx, mail: Mail): Promise<void> {
    const id = newId();
    await this.mailOutboxRepository.insert(tx, id, this.keys.seal(JSON.stringify(mail), mailContext(id)));
  }
}
