import { Module } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.ts';
import { CommandsModule } from './commands/commands.module.ts';
import { JustifyRequestModule } from './justify-request/justify-request.module.ts';
import { OfflineRulesModule } from './offline-rules/offline-rules.module.ts';
import { ReportPromptModule } from './report-prompt/report-prompt.module.ts';
import { ReportedRequestsModule } from './reported-requests/reported-requests.module.ts';
import { UpkeepModule } from './upkeep/upkeep.module.ts';

/** The API for agents: authentication, reports and device commands. */
@Module({
  imports: [
    AgentsModule,
    ReportPromptModule,
    ReportedRequestsModule,
    JustifyRequestModule,
    OfflineRulesModule,
    CommandsModule,
    UpkeepModule,
  ],
})
export class AppModule {}
