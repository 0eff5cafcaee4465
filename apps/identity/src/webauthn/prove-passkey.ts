import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PasskeysRepository } from './passkeys.repository.ts';
import { RelyingParty } from './relying-party.ts';

/** Checks whether a response proves possession of one of the user's passkeys, and stores the passkey's counter. */
@Injectable()
export class ProvePasskey {
  constructor(
    private readonly relyingParty: RelyingParty,
    private readonly passkeysRepository: PasskeysRepository,
  ) {}

  async execute(tx: Tx, userId: string, challenge: string, response: Record<string, unknown>): Promise<boolean> {
    const { id } = response;
    const passkey = typeof id === 'string' ? await this.passkeysRepository.find(tx, userId, id) : null;
    if (!passkey) return false;
    const counter = await this.relyingParty.asserted(response, challenge, passkey);
    return counter !== null && this.passkeysRepository.use(tx, passkey.id, counter);
  }
}
