import { poolOf } from '@gatehouse/database';
import type { DataSource } from 'typeorm';

const DATABASE_CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float AS seconds';
const COUNT_DEAD_LETTERS = 'SELECT count(*)::int AS letters FROM dead_letters WHERE replayed_at IS NULL';

/** A silent server must not hold the question, and its connection, for as long as other statements may take. */
const ARE_YOU_THERE = { text: 'SELECT 1', query_timeout: 1_500 };

/** What the metrics ask of a service's database. */
export const databaseState = {
  answers: async (database: DataSource): Promise<boolean> => {
    const answer = await poolOf(database)
      ?.query(ARE_YOU_THERE)
      .catch(() => null);
    return answer?.rowCount === 1;
  },

  /** The time by the database's clock, in seconds. */
  async clock(database: DataSource): Promise<number | null> {
    const [row] = (await database.query(DATABASE_CLOCK)) as { seconds: number }[];
    return row?.seconds ?? null;
  },

  async deadLetters(database: DataSource): Promise<number | null> {
    const [row] = (await database.query(COUNT_DEAD_LETTERS)) as { letters: number }[];
    return row?.letters ?? null;
  },
};
