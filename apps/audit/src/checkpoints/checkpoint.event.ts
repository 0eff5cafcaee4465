import { defineEvent, Text, Whole } from '@gatehouse/contracts-core';

/**
 * The signed state of a chain. The broker keeps it too, out of reach of anyone with write access to the log's
 * database.
 */
export class Checkpoint {
  @Text({ max: 36 }) chain!: string;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) length!: number;
  @Text({ max: 64 }) head!: string;
  @Text({ max: 40 }) signedAt!: string;
  /** Compact JWS (EdDSA) whose payload is the canonical JSON of the members above. */
  @Text({ max: 2000 }) jws!: string;
}
/**
 * Each chain has a subject of its own. The stream holds older checkpoints of all chains under
 * `checkpoint.chain.signed.v1`.
 */
export const checkpointSigned = (chain: string) =>
  defineEvent(`checkpoint.${chain as Lowercase<string>}.signed.v1`, Checkpoint);
