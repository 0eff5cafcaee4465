import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Get, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { AuditExportFileQuery, AuditExportLinkResponse, CreateAuditExportDto } from '../log/audit-log.dto.ts';
import { LogService } from '../log/log.service.ts';
import { ExportsService } from './exports.service.ts';
import { fileOf } from '../log/formats/export-formats.ts';

@ApiTags('audit log')
@Controller('audit-logs/exports')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly log: LogService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /**
   * Creates the address of an export, for download by a browser. The address can be used once, within 60 seconds, while
   * the session or API key that requested it is valid.
   */
  @Post()
  @Requires('audit:export', { audit: 'audit.export.prepare' })
  @ApiBody({ type: CreateAuditExportDto, required: false })
  @ApiCreatedResponse({ type: AuditExportLinkResponse })
  @ApiProblems('partner_not_found', 'idempotency_secret_shown')
  prepare(@CurrentCaller() caller: UserCaller, @Body() body: CreateAuditExportDto): Promise<AuditExportLinkResponse> {
    return this.exports.createExportLink(caller, body);
  }

  /** Downloads an export from the address created by `POST /audit-logs/exports`. */
  @Get('file')
  @Public()
  @ApiProduces('application/x-ndjson', 'text/csv')
  @ApiOkResponse({ description: 'One entry per line', schema: { type: 'string' } })
  @ApiProblems('audit_export_not_found', 'rate_limited')
  async file(@CurrentCaller() caller: Caller, @Query() { token }: AuditExportFileQuery): Promise<StreamableFile> {
    const { author, query } = await this.exports.openExportLink(caller, token);
    const entries = await this.heavyCalls.whileOpen(author.id, () => this.log.exportEntries(author, query));
    return fileOf(entries, query.format);
  }
}
