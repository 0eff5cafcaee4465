import { Module } from '@nestjs/common';
import { GiveNoticeOfExpiry } from './give-notice-of-expiry.ts';
import { RuleExpiryRepository } from './rule-expiry.repository.ts';

@Module({ providers: [GiveNoticeOfExpiry, RuleExpiryRepository] })
export class RuleExpiryModule {}
