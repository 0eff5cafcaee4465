import { CurrentCaller, OperatorRoute, Requires } from '@gatehouse/auth';
import type { ServiceCaller, UserCaller } from '@gatehouse/contracts-core';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, HttpCode, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { CheckpointKeys } from '../checkpoints/checkpoint-keys.ts';
import {
  AuditEntryResponse,
  AuditExportQuery,
  AuditLogPageResponse,
  AuditLogQuery,
  ChainQuery,
  ChainVerdictResponse,
  CheckpointListResponse,
} from './audit-log.dto.ts';
import { fileOf } from './formats/export-formats.ts';
import { keepAliveJson } from './formats/keep-alive-json.ts';
import { LogService } from './log.service.ts';
import { VerifyChain } from './verify-chain.ts';

@ApiTags('audit log')
@Controller('audit-logs')
export class AuditLogsController {
  constructor(
    private readonly log: LogService,
    private readonly verify: VerifyChain,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Lists audit entries, newest first. Send `nextCursor` of the response as `cursor` to read the next page. */
  @Get()
  @Requires('audit:read')
  @ApiOkResponse({ type: AuditLogPageResponse })
  entries(@CurrentCaller() caller: UserCaller, @Query() query: AuditLogQuery): Promise<AuditLogPageResponse> {
    return this.log.listEntries(caller, query);
  }

  /**
   * Exports audit entries as JSON lines or CSV, without a row limit. The export contains everything needed to verify
   * the chain offline.
   */
  @Get('export')
  @Requires('audit:export', { audit: 'audit.export' })
  @ApiProduces('application/x-ndjson', 'text/csv')
  @ApiOkResponse({ description: 'One entry per line', schema: { type: 'string' } })
  @ApiProblems('partner_not_found')
  async export(@CurrentCaller() caller: UserCaller, @Query() query: AuditExportQuery): Promise<StreamableFile> {
    const entries = await this.heavyCalls.whileOpen(caller.id, () => this.log.exportEntries(caller, query));
    return fileOf(entries, query.format);
  }

  /** Recomputes a chain of audit entries and reports whether any was changed, added or removed. */
  @Get('verify')
  @Requires('audit:read')
  @ApiOkResponse({ type: ChainVerdictResponse })
  @ApiProblems('partner_not_found')
  verdict(
    @CurrentCaller() caller: UserCaller,
    @Query() { chain }: ChainQuery,
  ): Promise<ChainVerdictResponse | StreamableFile> {
    return keepAliveJson((signal) =>
      this.heavyCalls.during(caller.id, () => this.verify.verify(caller, chain, signal)),
    );
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
    return this.log.listCheckpoints(caller, chain);
  }

  /** Reads one audit entry. */
  @Get(':id')
  @Requires('audit:read')
  @ApiOkResponse({ type: AuditEntryResponse })
  @ApiProblems('audit_entry_not_found')
  entry(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<AuditEntryResponse> {
    return this.log.getEntry(caller, id);
  }
}

@Controller('internal/checkpoint-keys')
@ApiExcludeController()
export class CheckpointKeysController {
  constructor(private readonly keys: CheckpointKeys) {}

  @Post('rotate')
  @HttpCode(200)
  @OperatorRoute()
  rotate(@CurrentCaller() caller: ServiceCaller): Promise<{ kid: string }> {
    return this.keys.rotate(caller);
  }
}
