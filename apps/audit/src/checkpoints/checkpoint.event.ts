import { defineEvent, Text, Whole } from '@gatehouse/contracts-core';

/** The state of a chain, signed: kept by the broker too, out of reach of whoever can write to the log's database. */
export class Checkpoint {
  @Text({ max: 36 }) chain!: string;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) length!: number;
  @Text({ max: 64 }) head!: string;
  @Text({ max: 40 }) signedAt!: string;
  /** Compact JWS (EdDSA) whose payload is the canonical JSON of the members above. */
  @Text({ max: 2000 }) jws!: string;
}
export const CheckpointSigned = defineEvent('checkpoint.chain.signed.v1', Checkpoint);
