import { randomFillSync } from 'node:crypto';

/** Random bytes are fetched in bulk, because a system call for a few bytes costs as much as one for many. */
const pool = Buffer.alloc(4_096);
let poolUsed = pool.length;

/** Cryptographically random bytes, each used once. @param size at most 4096 */
export function randomBytes(size: number): Buffer {
  if (poolUsed + size > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const drawn = Buffer.from(pool.subarray(poolUsed, poolUsed + size));
  pool.fill(0, poolUsed, poolUsed + size);
  poolUsed += size;
  return drawn;
}
