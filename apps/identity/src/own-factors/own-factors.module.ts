import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { BeginTotpEnrolment } from './begin-totp-enrolment.ts';
import { ChangeOfFactors } from './change-of-factors.ts';
import { ConfirmTotp } from './confirm-totp.ts';
import { DeleteFactor } from './delete-factor.ts';
import { FinishEnrolment } from './finish-enrolment.ts';
import { ListFactors } from './list-factors.ts';
import { OwnFactorsController } from './own-factors.controller.ts';
import { RemoveProviderFactors } from './remove-provider-factors.ts';
import { RenewRecoveryCodes } from './renew-recovery-codes.ts';

@Module({
  imports: [FactorsModule, PasswordsModule, PeopleModule, SessionCookieModule, SessionsModule],
  controllers: [OwnFactorsController],
  providers: [
    ChangeOfFactors,
    RemoveProviderFactors,
    FinishEnrolment,
    BeginTotpEnrolment,
    ConfirmTotp,
    ListFactors,
    DeleteFactor,
    RenewRecoveryCodes,
  ],
  exports: [ChangeOfFactors, FinishEnrolment, RemoveProviderFactors],
})
export class OwnFactorsModule {}
