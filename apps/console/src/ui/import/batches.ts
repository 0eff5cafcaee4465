/** The most rows that one request of an import takes. */
export const BATCH_LENGTH = 1000;

/**
 * Sends rows in batches, one after another, because each batch sees what the one before it stored.
 * @param onProgress is told how many rows are done
 * @returns the answers, each with the index of its first row
 */
export async function inBatches<Row, Answer>(
  rows: readonly Row[],
  send: (batch: readonly Row[]) => Promise<Answer>,
  onProgress: (done: number) => void = () => undefined,
  length = BATCH_LENGTH,
): Promise<readonly { readonly first: number; readonly answer: Answer }[]> {
  const answers: { first: number; answer: Answer }[] = [];
  for (let first = 0; first < rows.length; first += length) {
    answers.push({ first, answer: await send(rows.slice(first, first + length)) });
    onProgress(Math.min(first + length, rows.length));
  }
  return answers;
}
