import type { DataSource } from 'typeorm';

const DATABASE_CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float AS seconds';
const COUNT_DEAD_LETTERS = 'SELECT count(*)::int AS letters FROM dead_letters WHERE replayed_at IS NULL';

/** What the metrics ask of a service's database. */
export const databaseState = {
  answers: (database: DataSource): Promise<boolean> =>
    database.query('SELECT 1').then(
      () => true,
      () => false,
    ),

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
