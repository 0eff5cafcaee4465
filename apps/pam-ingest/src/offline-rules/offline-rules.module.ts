import { Module } from '@nestjs/common';
import { RulebooksModule } from '../rulebooks/rulebooks.module.ts';
import { GetOfflineRules } from './get-offline-rules.ts';
import { OfflineDocuments } from './offline-documents.ts';
import { OfflineRulesController } from './offline-rules.controller.ts';
import { RulebookSources } from './rulebook-sources.ts';

@Module({
  controllers: [OfflineRulesController],
  imports: [RulebooksModule],
  providers: [GetOfflineRules, OfflineDocuments, RulebookSources],
})
export class OfflineRulesModule {}
