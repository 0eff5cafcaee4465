import {
  AUDIT_ACTIONS,
  type AuditAction,
  Choice,
  ChoiceList,
  clamp,
  DEFAULT_PAGE_SIZE,
  Instant,
  JsonObject,
  Known,
  ListInQuery,
  MAX_PAGE_SIZE,
  Nested,
  NestedList,
  Search,
  Text,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { applyDecorators } from '@nestjs/common';

const ACTOR_TYPES = ['user', 'api_key', 'agent', 'setup_link', 'system'] as const;
const RESULTS = ['success', 'failure', 'denied'] as const;
const ANY_LENGTH = { min: 0, max: Number.MAX_SAFE_INTEGER };
const hash = { min: 64, max: 64 };

const MAX_ACTIONS = 50;
const MAX_ACTION = 100;
const MAX_SEARCHED_ACTIONS = 100;
/** An action, or the beginning of several. */
const ONE_ACTION = {
  anyOf: [
    { type: 'string', enum: [...AUDIT_ACTIONS] },
    { type: 'string', maxLength: MAX_ACTION },
  ],
};

/**
 * One action or several, each exact (`pam.rule.create`) or a prefix (`pam.*`). A prefix that begins no action stands
 * for those whose name goes on: `pam.elevation.*` for `pam.elevation_request.approve`.
 */
const Actions = (): PropertyDecorator =>
  applyDecorators(
    Known({ isList: true }),
    ListInQuery(),
    ApiPropertyOptional({
      description: `Entries of these actions, such as ${AUDIT_ACTIONS.slice(0, 3).join(', ')}, or of all that begin alike: \`pam.*\`.`,
      oneOf: [ONE_ACTION, { type: 'array', items: ONE_ACTION, maxItems: MAX_ACTIONS }],
    }),
    IsOptional(),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(MAX_ACTIONS, { message: `must hold at most ${MAX_ACTIONS} entries` }),
    IsString({ each: true, message: 'each must be a text' }),
    MaxLength(MAX_ACTION, { each: true, message: `each must have at most ${MAX_ACTION} characters` }),
    Matches(/^[^\0]*$/, { each: true, message: 'each must be a text without NUL' }),
  ) as PropertyDecorator;

/** Filters of the log; an entry must match all that are given. */
export class AuditLogFilter {
  @Uuid({ optional: true, description: 'Including the organisations that were merged into it' }) orgId?: string;
  @Uuid({ optional: true }) actorId?: string;
  @ListInQuery()
  @ChoiceList(ACTOR_TYPES, {
    optional: true,
    maxItems: ACTOR_TYPES.length,
    description: 'Only entries of these types of actors: `user` and `api_key` exclude agents and the system.',
  })
  actorType?: (typeof ACTOR_TYPES)[number][];
  @Actions() action?: string[];
  @Text({ max: 100, optional: true }) resourceType?: string;
  @Text({ max: 255, optional: true }) resourceId?: string;
  @Choice(RESULTS, { optional: true }) result?: (typeof RESULTS)[number];
  @Instant({ optional: true, description: 'At or after this instant' }) from?: string;
  @Instant({ optional: true, description: 'Before this instant' }) to?: string;
  @Search('Part of the name of the actor, resource, program, tool or requester')
  search?: string;
  @ListInQuery()
  @ChoiceList(AUDIT_ACTIONS, {
    optional: true,
    maxItems: MAX_SEARCHED_ACTIONS,
    description:
      'Actions whose entries `search` finds too: a client that shows them as sentences sends those whose words fit.',
  })
  searchActions?: AuditAction[];
}

export class AuditLogQuery extends AuditLogFilter {
  @Text({ max: 200, optional: true, description: 'The nextCursor of the previous page' }) cursor?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })
  @Known()
  @Allow()
  @Transform(({ value }) => clamp(value, 1, MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE))
  limit: number = DEFAULT_PAGE_SIZE;
}

export class AuditExportQuery extends AuditLogFilter {
  @Choice(['jsonl', 'csv'], { optional: true }) format?: 'jsonl' | 'csv';
  @Text({ max: 36, optional: true, description: "One chain only: a partner's id, or `system`" }) chain?: string;
}

/** The names of the filters that a request gives; a DTO has every member. */
export const filtersGiven = (filters: object): string[] =>
  Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));

export class CreateAuditExportDto {
  @Nested(() => AuditLogFilter, { optional: true, description: 'Default: all entries in reach' })
  filter?: AuditLogFilter;
  @Choice(['jsonl', 'csv'], { optional: true }) format?: 'jsonl' | 'csv';
  @Text({ max: 36, optional: true, description: "One chain only: a partner's id, or `system`" }) chain?: string;
}

export class AuditExportLinkResponse {
  @Text({ max: 200, description: 'The address of the file on this host, valid once and for one minute' }) url!: string;
}

export class AuditExportFileQuery {
  @Text({ min: 1, max: 64, description: 'The token in the address' }) token!: string;
}

export class ChainQuery {
  @Text({ max: 36, optional: true, description: "A partner's id, or `system`; the caller's own by default" })
  chain?: string;
}

export class AuditActorRecord {
  @Choice(ACTOR_TYPES) type!: string;
  @Text({ max: 255, nullable: true }) id!: string | null;
  @Text({ max: 255, nullable: true, description: 'Of a person, also if their API key acted' }) name!: string | null;
  @Text({ max: 255, optional: true, description: 'The name of the API key that acted' }) label?: string;
}

export class AuditResourceRecord {
  @Text({ max: 100 }) type!: string;
  @Text({ max: 255, nullable: true }) id!: string | null;
  @Text({ max: 255, nullable: true }) name!: string | null;
}

export class AuditEntryRecord {
  @Uuid() id!: string;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) sequence!: number;
  @Instant() timestamp!: string;
  @Text({ max: 36 }) chain!: string;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Nested(() => AuditActorRecord) actor!: AuditActorRecord;
  @Text({ max: 100 }) action!: string;
  @Nested(() => AuditResourceRecord) resource!: AuditResourceRecord;
  @Choice(RESULTS) result!: string;
  @JsonObject() details!: Record<string, unknown>;
  @Text({ max: 64, nullable: true }) ip!: string | null;
  @Text({ max: 400, nullable: true }) userAgent!: string | null;
  @Text({ max: 64, nullable: true }) requestId!: string | null;
  /** The client's own id of the request; absent when it sent none. */
  @Text({ max: 64, optional: true }) clientRequestId?: string;
  @Text(hash) previousHash!: string;
  @Text(hash) hash!: string;
}

export class AuditEntryResponse {
  @Nested(() => AuditEntryRecord) data!: AuditEntryRecord;
}

export class AuditLogPageResponse {
  @NestedList(() => AuditEntryRecord, { maxItems: MAX_PAGE_SIZE }) data!: AuditEntryRecord[];
  @Text({ max: 200, nullable: true }) nextCursor!: string | null;
}

export class ChainVerdictResponse {
  @ApiPropertyOptional({ type: 'boolean' }) valid!: boolean;
  @Text({ max: 36 }) chain!: string;
  @Whole(ANY_LENGTH) length!: number;
  @Text(hash) head!: string;
  @Whole({ ...ANY_LENGTH, optional: true, description: 'The first entry that is altered or missing' })
  firstBadSequence?: number;
  @Choice(['unreachable'], {
    optional: true,
    description: 'Whether the published checkpoint could not be reached and the chain was not compared with it',
  })
  publishedCheckpoint?: 'unreachable';
}

export class CheckpointRecord {
  @Text({ max: 36 }) chain!: string;
  @Whole(ANY_LENGTH) length!: number;
  @Text(hash) head!: string;
  @Instant() signedAt!: string;
  @Text({ max: 2000, description: 'Compact JWS (EdDSA) over the canonical JSON of the other members' }) jws!: string;
}

export class CheckpointListResponse {
  @NestedList(() => CheckpointRecord, { maxItems: 1_000_000 }) data!: CheckpointRecord[];
  @JsonObject({ description: 'The public keys of the signatures, as a JWK set' }) jwks!: object;
}
