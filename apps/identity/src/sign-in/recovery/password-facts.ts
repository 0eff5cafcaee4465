import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../../providers/enforcement/enforcement.repository.ts';
import { CredentialsRepository } from '../passwords/credentials.repository.ts';
import { SessionsService } from '../../sessions/sessions.service.ts';

interface Facts {
  /** All memberships of the user are governed. */
  readonly governed: boolean;
  readonly passwordHash: string | null;
}

/** Reads the facts about the caller that decide whether they may change their password. */
@Injectable()
export class PasswordFacts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessions: SessionsService,
    private readonly credentialsRepository: CredentialsRepository,
    private readonly enforcementRepository: EnforcementRepository,
  ) {}

  of(caller: UserCaller): Promise<Facts> {
    return this.work.read(caller, async (reader) => {
      await this.sessions.requireAccountWide(reader, caller);
      return {
        passwordHash: await this.credentialsRepository.passwordHashOf(reader, caller.userId),
        governed: await this.enforcementRepository.isGovernedEverywhere(reader, caller.userId),
      };
    });
  }
}
