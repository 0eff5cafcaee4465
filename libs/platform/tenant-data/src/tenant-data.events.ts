import {
  Choice,
  defineEvent,
  Flag,
  NestedList,
  type Permission,
  Text,
  TextList,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import { progressSubject, type TENANT_DATA_HOLDERS } from '@gatehouse/messaging';

/** The steps of a merge (move, then finish; or rollback after a failure) and of a purge. */
export const STEPS = ['move', 'finish', 'rollback', 'purge'] as const;
export type Step = (typeof STEPS)[number];
export type TenantDataHolder = (typeof TENANT_DATA_HOLDERS)[number];

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const MAX_TABLES = 200;
const MAX_REMARKS = 20;
const MAX_REMARK = 500;

/** Requests every service to perform a step of a run on its own rows of an organisation. */
export class TenantDataRequest {
  @Uuid() runId!: string;
  @Choice(STEPS) step!: Step;
  /** The organisation whose rows are moved or deleted. */
  @Uuid() sourceId!: string;
  /** The survivor of a merge; null when the rows are deleted. */
  @Uuid({ nullable: true }) targetId!: string | null;
}
export const TenantDataRequested = defineEvent('tenancy.tenant_data.requested.v1', TenantDataRequest);

/** The progress of a service; a non-null `error` means that the service gave up. */
export class TenantDataProgress {
  @Uuid() runId!: string;
  @Choice(STEPS) step!: Step;
  @Text({ max: 50 }) service!: string;
  @Whole(COUNT) done!: number;
  @Flag() finished!: boolean;
  @Text({ max: 1000, nullable: true }) error!: string | null;
}
/** Each service has its own subject, so that no service can report progress for another. */
export const tenantDataProgressed = (service: TenantDataHolder) =>
  defineEvent(progressSubject(service), TenantDataProgress);

/** The effect of a merge on one table. */
export class TableCount {
  @Text({ max: 50 }) service!: string;
  @Text({ max: 100 }) table!: string;
  @Text({ max: 20 }) policy!: string;
  @Whole(COUNT) move!: number;
  @Whole(COUNT) drop!: number;
}

/** A service's answer to the preview of a merge. */
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

/** The request for a preview, which a service receives on its own subject and answers immediately. */
export interface CountQuestion {
  readonly sourceId: string;
  readonly targetId: string;
  readonly permissions: readonly Permission[];
}

/** The request with which a service confirms a step with tenancy before it begins or resumes the step. */
export type StepQuestion = TenantDataRequest;
export interface StepReply {
  readonly due: boolean;
}
