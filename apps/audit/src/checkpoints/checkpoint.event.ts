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
/**
 * Each chain has a subject of its own. Older checkpoints of all chains stand in the stream under
 * `checkpoint.chain.signed.v1`.
 */
export const checkpointSigned = (chain: string) =>
  defineEvent(`checkpoint.${chain as Lowercase<string>}.signed.v1`, Checkpoint);
