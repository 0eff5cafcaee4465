import type { UserCaller } from '@gatehouse/contracts-core';
import { FaultyRowRecord, ImportedScriptRecord, ImportScriptsDto } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { HEAVY_CALLS } from '@gatehouse/service';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiLists } from '../../rows/api-paged.ts';
import { ImportScripts, type ScriptImportOutcome } from './import-scripts.ts';

@Controller('scripts/import')
@ApiTags('scripts')
export class ScriptImportsController {
  constructor(
    private readonly importScripts: ImportScripts,
    @Inject(HEAVY_CALLS) private readonly heavyCalls: ConcurrencyLimiter,
  ) {}

  /** Imports several scripts. Each is taken or reported by itself. */
  @Post()
  @HttpCode(200)
  @Requires('scripts:write', { mfa: true, audit: 'script.import' })
  @ApiLists({ imported: ImportedScriptRecord, errors: FaultyRowRecord })
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportScriptsDto): Promise<ScriptImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importScripts.execute(caller, batch));
  }
}
