import { Choice, Flag, Instant, Nested, NestedList, Pasted, Text, Unread, Uuid } from '@gatehouse/contracts-core';
import {
  PUSH_FAILURES,
  type PushFailure,
  type PushKind,
  type PushSubscription,
} from './push-subscriptions.repository.ts';

const PUSH_KINDS = ['webpush', 'webhook'] as const;
const BASE64URL = /^[A-Za-z0-9_-]+=*$/;
const KEY = { pattern: BASE64URL, patternHint: 'must be base64url' };

/** Keys of a browser's subscription (Push API, `PushSubscription.getKey`). */
export class WebPushKeysDto {
  @Text({ min: 80, max: 100, ...KEY }) p256dh!: string;
  @Text({ min: 20, max: 30, ...KEY }) auth!: string;
}

export class CreatePushSubscriptionDto {
  @Unread("part of a browser's PushSubscription in JSON (Push API)") expirationTime?: number | null;
  @Choice(PUSH_KINDS) kind!: PushKind;
  @Pasted({ min: 8, max: 2000 }) endpoint!: string;
  @Nested(() => WebPushKeysDto, { optional: true, description: 'Required for webpush' }) keys?: WebPushKeysDto;
  @Text({ min: 1, max: 100, optional: true, nullable: true }) label?: string | null;
}

export class PushFailureRecord {
  @Instant() at!: string;
  @Choice(PUSH_FAILURES) reason!: PushFailure;
}

export class PushSubscriptionRecord {
  @Uuid() id!: string;
  @Choice(PUSH_KINDS) kind!: PushKind;
  @Text({ max: 2000 }) endpoint!: string;
  @Text({ max: 100, nullable: true }) label!: string | null;
  @Instant({ nullable: true }) lastDeliveredAt!: string | null;
  @Nested(() => PushFailureRecord, { nullable: true }) lastFailure!: PushFailureRecord | null;
  @Instant() createdAt!: string;
}

export class PushSubscriptionResponse {
  @Nested(() => PushSubscriptionRecord) data!: PushSubscriptionRecord;
}

export class CreatedPushSubscriptionRecord extends PushSubscriptionRecord {
  @Text({ max: 100, optional: true, description: 'Signs deliveries of a webhook; shown only once' }) secret?: string;
}

export class CreatedPushSubscriptionResponse {
  @Nested(() => CreatedPushSubscriptionRecord) data!: CreatedPushSubscriptionRecord;
}

export class PushSubscriptionListResponse {
  @NestedList(() => PushSubscriptionRecord, { maxItems: 100 }) data!: PushSubscriptionRecord[];
}

export class DeletedResponse {
  @Flag() success!: boolean;
}

export class VapidKeyRecord {
  @Text({ max: 100, description: "The applicationServerKey of a browser's subscription (RFC 8292)" })
  publicKey!: string;
}

export class VapidKeyResponse {
  @Nested(() => VapidKeyRecord) data!: VapidKeyRecord;
}

const failureOf = ({ lastFailure, lastFailureAt }: PushSubscription): PushFailureRecord | null =>
  lastFailure && lastFailureAt && { at: lastFailureAt.toISOString(), reason: lastFailure };

export const viewOf = (subscription: PushSubscription): PushSubscriptionRecord => {
  const { id, kind, endpoint, label, lastDeliveredAt, createdAt } = subscription;
  return {
    id,
    kind,
    endpoint,
    label,
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    lastFailure: failureOf(subscription),
    createdAt: createdAt.toISOString(),
  };
};
