import { Flag, Instant, Nested, NestedList, Text, Uuid } from '@gatehouse/contracts-core';

export class CreateDomainDto {
  @Uuid({ optional: true }) orgId?: string;
  @Text({ min: 3, max: 253 }) domain!: string;
}

export class DomainDto {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ max: 253 }) domain!: string;
  @Flag() verified!: boolean;
  @Instant({ nullable: true }) verifiedAt!: string | null;
  @Instant({ nullable: true }) lastCheckedAt!: string | null;
  @Text({ max: 300 }) recordName!: string;
  @Text({ max: 300 }) recordValue!: string;
}

export class DomainAnswerDto {
  @Nested(() => DomainDto) data!: DomainDto;
}

export class DomainListDto {
  @NestedList(() => DomainDto, { maxItems: 1000 }) data!: DomainDto[];
}
