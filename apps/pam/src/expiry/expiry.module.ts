import { Module } from '@nestjs/common';
import { ExpireElevations } from './expire-elevations.ts';
import { ExpiryRepository } from './expiry.repository.ts';

@Module({ providers: [ExpireElevations, ExpiryRepository] })
export class ExpiryModule {}
