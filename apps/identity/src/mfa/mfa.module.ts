import { Module } from '@nestjs/common';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { EnrolTotp } from '../own-factors/enrol-totp.ts';
import { OwnFactorsController } from '../own-factors/own-factors.controller.ts';
import { Factors } from '../own-factors/factors.ts';
import { MfaChallenges } from './mfa-challenges.ts';
import { MfaController } from './mfa.controller.ts';
import { SecondFactors } from '../factors/second-factors.ts';
import { StepUp } from './step-up.ts';
import { VerifyMfa } from './verify-mfa.ts';

@Module({
  imports: [PeopleModule, SessionsModule, SignInModule],
  controllers: [MfaController, OwnFactorsController],
  providers: [SecondFactors, MfaChallenges, VerifyMfa, EnrolTotp, StepUp, Factors],
  exports: [SecondFactors, MfaChallenges],
})
export class MfaModule {}
