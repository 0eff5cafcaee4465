import { Module } from '@nestjs/common';
import { ResealSecrets } from './reseal-secrets.ts';
import { SweepExpired } from './sweep-expired.ts';

@Module({ providers: [SweepExpired, ResealSecrets] })
export class HousekeepingModule {}
