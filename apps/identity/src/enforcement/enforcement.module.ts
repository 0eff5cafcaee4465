import { Module } from '@nestjs/common';
import { EnforcementRepository } from './enforcement.repository.ts';

@Module({ providers: [EnforcementRepository], exports: [EnforcementRepository] })
export class EnforcementModule {}
