export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

const columns = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));

/** A table in plain text; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = columns(rows);
  return rows
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}

export const say = (text: string): boolean => process.stdout.write(`${text}\n`);
export const whole = (value: number): string => value.toFixed(0);
export const fine = (value: number): string => value.toFixed(2);
