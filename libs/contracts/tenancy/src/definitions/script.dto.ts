import { Choice, Flag, Instant, JsonObject, NestedList, PageQuery, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { RowsOfObjects } from '../fields.ts';
import { OWNER_SCOPES, type OwnerScope } from '../vocabulary.ts';

export const RUN_AS = ['system', 'user'] as const;
export type RunAs = (typeof RUN_AS)[number];
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical', 'warning', 'error'] as const;
const MAX_CONTENT = 65_536;
const MAX_PARAMETERS = 50;
const MAX_SCRIPTS = 100;

export class ScriptParameterDto {
  @Text({
    max: 64,
    pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
    patternHint: 'must be a name of letters, digits and underscores',
  })
  name!: string;
  @Text({ max: 500, optional: true, nullable: true }) description?: string | null;
  @Flag({ optional: true }) required?: boolean;
  @Text({ max: 2000, optional: true, nullable: true }) defaultValue?: string | null;
}

class ScriptFields {
  @Text({ max: 2000, optional: true, nullable: true }) description?: string | null;
  @Text({ max: 100, optional: true, nullable: true }) category?: string | null;
  @Text({ min: 1, max: 50, optional: true, description: 'At creation powershell, unless given' }) language?: string;
  @Choice(RUN_AS, { optional: true }) runAs?: RunAs;
  @JsonObject({ optional: true, description: `Severity (${SEVERITIES.join(', ')}) by exit code; 0 is success` })
  exitCodeSeverityMapping?: Record<string, unknown>;
  @NestedList(() => ScriptParameterDto, { optional: true, maxItems: MAX_PARAMETERS }) parameters?: ScriptParameterDto[];
}

export class CreateScriptDto extends ScriptFields {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Text({ min: 1, max: MAX_CONTENT }) content!: string;
  @Choice(OWNER_SCOPES, { optional: true, description: 'partner: one copy for all organisations' })
  availability?: OwnerScope;
  @Uuid({ optional: true }) orgId?: string;
  @Uuid({ optional: true }) partnerId?: string;
}

export class UpdateScriptDto extends ScriptFields {
  @Choice(OWNER_SCOPES, { optional: true, description: 'Optional; cannot be changed' })
  availability?: OwnerScope;
  @Uuid({ optional: true, nullable: true, description: 'Optional; cannot be changed' }) orgId?: string | null;
  @Uuid({ optional: true, description: 'Optional; cannot be changed' }) partnerId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Text({ min: 1, max: MAX_CONTENT, optional: true }) content?: string;
}

export class ScriptResponse {
  @Uuid() id!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Choice(OWNER_SCOPES) availability!: OwnerScope;
  @Text({ max: 255 }) name!: string;
  @Text({ max: 2000, nullable: true }) description!: string | null;
  @Text({ max: 100, nullable: true }) category!: string | null;
  @Text({ max: 50 }) language!: string;
  @Text({ max: MAX_CONTENT }) content!: string;
  @Choice(RUN_AS) runAs!: RunAs;
  @JsonObject() exitCodeSeverityMapping!: Record<string, unknown>;
  @NestedList(() => ScriptParameterDto, { maxItems: MAX_PARAMETERS }) parameters!: ScriptParameterDto[];
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

export class ScriptQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Text({ max: 100, optional: true }) category?: string;
}

export class ImportScriptsDto {
  @NestedList(() => CreateScriptDto, { minItems: 1, maxItems: MAX_SCRIPTS })
  @RowsOfObjects()
  scripts!: CreateScriptDto[];
}

export class ImportedScriptRecord {
  @Whole({ min: 0, max: MAX_SCRIPTS }) index!: number;
  @Uuid() scriptId!: string;
}

export class SkippedScriptRecord {
  /** The place of the script in the request, from 0. */
  @Whole({ min: 0, max: MAX_SCRIPTS }) index!: number;
  /** `exists`: there is a script of this name already. */
  @Choice(['exists']) reason!: 'exists';
}
