import { Choice, defineEvent, Flag, NestedList, Text, TextList, Uuid, Whole } from '@gatehouse/contracts-core';
import { progressSubject, type TENANT_DATA_HOLDERS } from '@gatehouse/messaging';

/** The steps of a merge (move, then finish; or rollback when one failed) and of a purge. */
export const STEPS = ['move', 'finish', 'rollback', 'purge'] as const;
export type Step = (typeof STEPS)[number];
export type TenantDataHolder = (typeof TENANT_DATA_HOLDERS)[number];

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const MAX_TABLES = 200;
const MAX_REMARKS = 20;
const MAX_REMARK = 500;

/** Asks every service to do a step of a run with its own rows of an organisation. */
export class TenantDataRequest {
  @Uuid() runId!: string;
  @Choice(STEPS) step!: Step;
  /** The organisation whose rows move or go. */
  @Uuid() sourceId!: string;
  /** The survivor of a merge; null when the rows are deleted. */
  @Uuid({ nullable: true }) targetId!: string | null;
}
export const TenantDataRequested = defineEvent('tenancy.tenant_data.requested.v1', TenantDataRequest);

/** A service's word on how far it is; `error` says that it gave up. */
export class TenantDataProgress {
  @Uuid() runId!: string;
  @Choice(STEPS) step!: Step;
  @Text({ max: 50 }) service!: string;
  @Whole(COUNT) done!: number;
  @Flag() finished!: boolean;
  @Text({ max: 1000, nullable: true }) error!: string | null;
}
/** Each service has a subject of its own, so that none can report for another. */
export const tenantDataProgressed = (service: TenantDataHolder) =>
  defineEvent(progressSubject(service), TenantDataProgress);

/** What a merge would do with one table. */
export class TableCount {
  @Text({ max: 50 }) service!: string;
  @Text({ max: 100 }) table!: string;
  @Text({ max: 20 }) policy!: string;
  @Whole(COUNT) move!: number;
  @Whole(COUNT) drop!: number;
}

/** What a service has to say to a merge. */
export class TableCounts {
  @NestedList(() => TableCount, { maxItems: MAX_TABLES }) tables!: TableCount[];
  @TextList({
    max: MAX_REMARK,
    maxItems: MAX_REMARKS,
    optional: true,
    description: 'What stands against it; a service of the release before has no remarks',
  })
  blockers?: string[];
  @TextList({ max: MAX_REMARK, maxItems: MAX_REMARKS, optional: true }) warnings?: string[];
}

/** What a service is asked on its own subject, and answers at once. */
export interface CountQuestion {
  readonly sourceId: string;
  readonly targetId: string;
}

/** What a service asks tenancy before it begins or resumes a step. */
export type StepQuestion = TenantDataRequest;
export interface StepReply {
  readonly due: boolean;
}
