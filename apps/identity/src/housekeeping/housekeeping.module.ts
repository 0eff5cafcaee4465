import { Module } from '@nestjs/common';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { DeleteUnattachedUsers } from './delete-unattached-users.ts';
import { HousekeepingRepository } from './housekeeping.repository.ts';
import { SweepExpired } from './sweep-expired.ts';

@Module({ imports: [TechniciansModule], providers: [HousekeepingRepository, SweepExpired, DeleteUnattachedUsers] })
export class HousekeepingModule {}
