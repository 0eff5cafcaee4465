import { Instant, PageQuery, Text, Uuid, UuidList, Whole } from '@gatehouse/contracts-core';

const MAX_MEMBERS_AT_ONCE = 1000;

export class CreateDeviceGroupDto {
  @Uuid() orgId!: string;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Text({ max: 1000, optional: true, nullable: true }) description?: string | null;
}

export class UpdateDeviceGroupDto {
  @Uuid({ optional: true, description: 'May be named, and cannot be changed' }) orgId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Text({ max: 1000, optional: true, nullable: true }) description?: string | null;
}

export class DeviceGroupResponse {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ max: 255 }) name!: string;
  @Text({ max: 1000, nullable: true }) description!: string | null;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) deviceCount!: number;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

export class DeviceGroupQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
}

export class GroupDevicesDto {
  @UuidList({ minItems: 1, maxItems: MAX_MEMBERS_AT_ONCE }) deviceIds!: string[];
}
