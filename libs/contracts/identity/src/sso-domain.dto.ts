import { Flag, Instant, Nested, NestedList, Text, Uuid } from '@gatehouse/contracts-core';

export class CreateDomainDto {
  @Uuid({ optional: true }) orgId?: string;
  @Text({ min: 3, max: 253, trim: true }) domain!: string;
}

export class DomainRecord {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ max: 253 }) domain!: string;
  @Flag() verified!: boolean;
  @Instant({ nullable: true }) verifiedAt!: string | null;
  @Instant({ nullable: true }) lastCheckedAt!: string | null;
  @Text({ max: 300 }) recordName!: string;
  @Text({ max: 300 }) recordValue!: string;
}

export class DomainResponse {
  @Nested(() => DomainRecord) data!: DomainRecord;
}

export class DomainListResponse {
  @NestedList(() => DomainRecord, { maxItems: 1000 }) data!: DomainRecord[];
}
