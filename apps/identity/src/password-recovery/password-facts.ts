import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../enforcement/enforcement.repository.ts';
import { CredentialsRepository } from '../passwords/credentials.repository.ts';
import { RequireAccountWide } from '../sessions/require-account-wide.ts';

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
    private readonly requireAccountWide: RequireAccountWide,
    private readonly credentialsRepository: CredentialsRepository,
    private readonly enforcementRepository: EnforcementRepository,
  ) {}

  /** @throws ProblemError permission_denied */
  of(caller: UserCaller): Promise<Facts> {
    return this.work.read(caller, async (reader) => {
      await this.requireAccountWide.execute(reader, caller);
      return {
        passwordHash: await this.credentialsRepository.passwordHashOf(reader, caller.userId),
        governed: await this.enforcementRepository.isGovernedEverywhere(reader, caller.userId),
      };
    });
  }
}
