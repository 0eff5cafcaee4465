import type { UserCaller } from '@gatehouse/contracts-core';
import {
  FaultyRowRecord,
  ImportedScriptRecord,
  SkippedScriptRecord,
  ImportScriptsDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiLists } from '../../scope/api-paged.ts';
import { type ScriptImportOutcome, ScriptImportService } from './script-import.service.ts';

@Controller('scripts/import')
@ApiTags('scripts')
export class ScriptImportsController {
  constructor(
    private readonly scriptImport: ScriptImportService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Imports several scripts. Each is taken or reported by itself. */
  @Post()
  @HttpCode(200)
  @Requires('scripts:write', { mfa: true, audit: 'script.import' })
  @ApiLists({ imported: ImportedScriptRecord, skipped: SkippedScriptRecord, errors: FaultyRowRecord })
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportScriptsDto): Promise<ScriptImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.scriptImport.importScripts(caller, batch));
  }
}
