import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { Enforcement } from './enforcement.ts';
import { EnforcementRepository } from './enforcement.repository.ts';

@Module({
  imports: [SessionsModule],
  providers: [Enforcement, EnforcementRepository],
  exports: [Enforcement, EnforcementRepository],
})
export class EnforcementModule {}
