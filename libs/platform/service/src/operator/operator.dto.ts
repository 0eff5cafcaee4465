import { Instant, Text, Whole } from '@gatehouse/contracts-core';

const MAX_BLOCKS = 2_147_483_647;

export class ResealSliceDto {
  @Text({ max: 130 }) column!: string;
  /** 0, or the `next` of the previous slice. */
  @Whole({ min: 0, max: MAX_BLOCKS }) fromBlock!: number;
}

export class RepublishDto {
  @Instant() since!: string;
}
