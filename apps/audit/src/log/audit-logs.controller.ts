import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems } from '@gatehouse/service';
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import {
  AuditExportQuery,
  AuditLogPageResponse,
  AuditLogQuery,
  ChainQuery,
  ChainVerdictResponse,
  CheckpointListResponse,
} from './audit-log.dto.ts';
import { ExportEntries } from './export-entries.ts';
import { ListCheckpoints } from './list-checkpoints.ts';
import { ListEntries } from './list-entries.ts';
import { patientJson } from './formats/patient-json.ts';
import { VerifyChain } from './verify-chain.ts';

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' };

@ApiTags('audit log')
@Controller('audit-logs')
export class AuditLogsController {
  constructor(
    private readonly list: ListEntries,
    private readonly exports: ExportEntries,
    private readonly verify: VerifyChain,
    private readonly checkpoints: ListCheckpoints,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Lists audit entries, newest first. Give `nextCursor` of the answer as `cursor` to read on. */
  @Get()
  @Requires('audit:read')
  @ApiOkResponse({ type: AuditLogPageResponse })
  @ApiProblems('partner_not_found')
  entries(@CurrentCaller() caller: UserCaller, @Query() query: AuditLogQuery): Promise<AuditLogPageResponse> {
    return this.list.execute(caller, query);
  }

  /**
   * Exports audit entries as JSON lines or CSV, without a limit of rows. The export has what is needed to verify the
   * chain offline.
   */
  @Get('export')
  @Requires('audit:export', { audit: 'audit.export' })
  @ApiProduces('application/x-ndjson', 'text/csv')
  @ApiOkResponse({ description: 'One entry per line', schema: { type: 'string' } })
  @ApiProblems('partner_not_found')
  async export(@CurrentCaller() caller: UserCaller, @Query() query: AuditExportQuery): Promise<StreamableFile> {
    const { format = 'jsonl' } = query;
    const entries = await this.heavyCalls.whileOpen(caller.id, () => this.exports.execute(caller, query));
    return new StreamableFile(entries, {
      type: TYPES[format],
      disposition: `attachment; filename="audit-log.${format}"`,
    });
  }

  /** Recomputes a chain of audit entries and says whether any was changed, added or removed. */
  @Get('verify')
  @Requires('audit:read')
  @ApiOkResponse({ type: ChainVerdictResponse })
  @ApiProblems('partner_not_found')
  verdict(
    @CurrentCaller() caller: UserCaller,
    @Query() { chain }: ChainQuery,
  ): Promise<ChainVerdictResponse | StreamableFile> {
    return patientJson((signal) => this.heavyCalls.during(caller.id, () => this.verify.execute(caller, chain, signal)));
  }

  /**
   * Lists the signed checkpoints of a chain. A checkpoint proves that the chain had this head at that time, even if
   * everything after it were rewritten.
   */
  @Get('checkpoints')
  @Requires('audit:read')
  @ApiOkResponse({ type: CheckpointListResponse })
  @ApiProblems('partner_not_found')
  signed(@CurrentCaller() caller: UserCaller, @Query() { chain }: ChainQuery): Promise<CheckpointListResponse> {
    return this.checkpoints.execute(caller, chain);
  }
}
