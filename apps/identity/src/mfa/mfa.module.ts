import { Module } from '@nestjs/common';
import { PasswordLoginModule } from '../password-login/password-login.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { EnrolTotp } from './enrol-totp.ts';
import { FactorsController } from './factors.controller.ts';
import { Factors } from './factors.ts';
import { MfaChallenges } from './mfa-challenges.ts';
import { MfaController } from './mfa.controller.ts';
import { SecondFactors } from './second-factors.ts';
import { StepUp } from './step-up.ts';
import { VerifyMfa } from './verify-mfa.ts';

@Module({
  imports: [PeopleModule, PasswordLoginModule, SessionsModule],
  controllers: [MfaController, FactorsController],
  providers: [SecondFactors, MfaChallenges, VerifyMfa, EnrolTotp, StepUp, Factors],
  exports: [SecondFactors, MfaChallenges],
})
export class MfaModule {}
