import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { RemoveFactors } from './remove-factors.ts';
import { ResetSecondFactor } from './reset-second-factor.ts';
import { UserSecurityController } from './user-security.controller.ts';

@Module({
  imports: [FactorsModule, MembershipsModule, PasswordsModule, SessionsModule],
  controllers: [UserSecurityController],
  providers: [ResetSecondFactor, RemoveFactors],
})
export class UserSecurityModule {}
