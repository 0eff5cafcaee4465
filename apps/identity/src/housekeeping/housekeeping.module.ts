import { Module } from '@nestjs/common';
import { SweepExpired } from './sweep-expired.ts';

@Module({ providers: [SweepExpired] })
export class HousekeepingModule {}
