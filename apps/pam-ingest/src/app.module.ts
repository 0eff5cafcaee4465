import { AGENT_AUTHENTICATOR } from '@gatehouse/auth';
import { RequestConnections } from '@gatehouse/database';
import {
  AgentDevicesRepository,
  CommandFeed,
  CompiledRulebooks,
  CountRuleUse,
  DeviceCommandsRepository,
  ElevationCountsRepository,
  ElevationOutcomesRepository,
  IgnoredCountsRepository,
  ReportBatchRepository,
  RulebookRepository,
  UpkeepRepository,
} from '@gatehouse/pam-store';
import { Global, Module } from '@nestjs/common';
import { AgentDevices } from './agents/agent-devices.ts';
import { SeenAgents } from './agents/seen-agents.ts';
import { TokenAuthenticator } from './agents/token-authenticator.ts';
import { ClaimCommands } from './commands/claim-commands.ts';
import { CommandsLifecycle, CommandsService, CommandWaiters } from './commands/commands.service.ts';
import { CommandsController } from './commands/commands.controller.ts';
import { JustifyRequestService, ReportedRequestsService } from './reported-requests/reported-requests.service.ts';
import {
  JustifiedRequestsRepository,
  ReportedRequestsRepository,
} from './reported-requests/reported-requests.repository.ts';
import {
  JustifyRequestController,
  ReportedRequestsController,
} from './reported-requests/reported-requests.controller.ts';
import { GetOfflineRules, RulebookSources } from './offline-rules/get-offline-rules.ts';
import { OfflineDocuments } from './offline-rules/offline-documents.ts';
import { OfflineRulesController } from './offline-rules/offline-rules.controller.ts';
import { CostlyRules, DecideReport } from './report-prompt/decide-report.ts';
import { IgnoredHitCounts } from './report-prompt/ignored-hits.ts';
import { ReportPromptController } from './report-prompt/report-prompt.controller.ts';
import { ReportPrompt, ReportPromptLifecycle } from './report-prompt/report-prompt.ts';
import { ReadRulebook, Rulebooks } from './rulebooks/rulebooks.ts';
import { MaintainRequestTables } from './upkeep/maintain-request-tables.ts';

const agents = {
  providers: [
    AgentDevicesRepository,
    AgentDevices,
    SeenAgents,
    { provide: AGENT_AUTHENTICATOR, useClass: TokenAuthenticator },
  ],
};

const commands = {
  controllers: [CommandsController],
  providers: [
    DeviceCommandsRepository,
    ElevationOutcomesRepository,
    CommandWaiters,
    {
      provide: CommandFeed,
      useFactory: (connections: RequestConnections, waiters: CommandWaiters) =>
        new CommandFeed(connections, (deviceId) => waiters.wake(deviceId)),
      inject: [RequestConnections, CommandWaiters],
    },
    ClaimCommands,
    CommandsService,
    CommandsLifecycle,
  ],
};

const justifyRequest = {
  controllers: [JustifyRequestController],
  providers: [JustifyRequestService, JustifiedRequestsRepository],
};

const offlineRules = {
  controllers: [OfflineRulesController],
  providers: [GetOfflineRules, OfflineDocuments, RulebookSources],
};

const reportPrompt = {
  controllers: [ReportPromptController],
  providers: [
    CompiledRulebooks,
    Rulebooks,
    {
      provide: ReportBatchRepository,
      useFactory: (connections: RequestConnections) => new ReportBatchRepository(connections),
      inject: [RequestConnections],
    },
    CostlyRules,
    IgnoredHitCounts,
    DecideReport,
    ReportPrompt,
    ReportPromptLifecycle,
  ],
};

const reportedRequests = {
  controllers: [ReportedRequestsController],
  providers: [ReportedRequestsService, ReportedRequestsRepository],
};

const rulebooks = { providers: [RulebookRepository, ReadRulebook] };

const upkeep = {
  providers: [
    MaintainRequestTables,
    UpkeepRepository,
    ElevationCountsRepository,
    IgnoredCountsRepository,
    CountRuleUse,
  ],
};

/** Global, so that the guard of all routes finds how agents are authenticated. */
@Global()
@Module({
  imports: [],
  controllers: [
    ...commands.controllers,
    ...justifyRequest.controllers,
    ...offlineRules.controllers,
    ...reportPrompt.controllers,
    ...reportedRequests.controllers,
  ],
  exports: [AGENT_AUTHENTICATOR],
  providers: [
    ...agents.providers,
    ...commands.providers,
    ...justifyRequest.providers,
    ...offlineRules.providers,
    ...reportPrompt.providers,
    ...reportedRequests.providers,
    ...rulebooks.providers,
    ...upkeep.providers,
  ],
})
export class AppModule {}
