import { Module } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.ts';
import { CommandsModule } from './commands/commands.module.ts';
import { ReportPromptModule } from './report-prompt/report-prompt.module.ts';
import { UpkeepModule } from './upkeep/upkeep.module.ts';

/** The agents' door: who knocks, what they report, what they are told to do. */
@Module({ imports: [AgentsModule, ReportPromptModule, CommandsModule, UpkeepModule] })
export class AppModule {}
