import { Module } from '@nestjs/common';
import { TechniciansModule } from '../users/technicians.module.ts';
import { ForgetUnattachedPeople } from './forget-unattached-people.ts';
import { SweepExpired } from './sweep-expired.ts';

@Module({ imports: [TechniciansModule], providers: [SweepExpired, ForgetUnattachedPeople] })
export class HousekeepingModule {}
