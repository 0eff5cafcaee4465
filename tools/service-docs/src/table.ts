const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table in Markdown; text when it would have no rows. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[], otherwise: string): string {
  if (rows.length === 0) return otherwise;
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cellOf))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const code = (text: string): string => `\`${text}\``;
