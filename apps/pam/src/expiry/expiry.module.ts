import { Module } from '@nestjs/common';
import { RequestStoreModule } from '../elevation-requests/request-store.module.ts';
import { ExpireElevations } from './expire-elevations.ts';
import { ExpiryRepository } from './expiry.repository.ts';
import { MovedDevicesRepository } from './moved-devices.repository.ts';

@Module({ imports: [RequestStoreModule], providers: [ExpireElevations, ExpiryRepository, MovedDevicesRepository] })
export class ExpiryModule {}
