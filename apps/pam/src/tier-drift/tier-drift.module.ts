import { Module } from '@nestjs/common';
import { RulesModule } from '../rules/rules.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { ErrorTracking } from './error-tracking.ts';
import { WarnOnTierDrift } from './warn-on-tier-drift.ts';

@Module({ imports: [RulesModule, ToolCatalogModule], providers: [WarnOnTierDrift, ErrorTracking] })
export class TierDriftModule {}
