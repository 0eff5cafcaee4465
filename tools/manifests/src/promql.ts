const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan', 'group_left', 'group_right']);

/** The names of the metrics that an expression of Prometheus asks for, each once. */
export function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/"[^"]*"/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replace(/\b\d[\w.]*/g, ' ');
  const names = [...bare.matchAll(/([a-zA-Z_:][\w:]*)\s*(\(?)/g)].filter(
    ([, name = '', call]) => call === '' && !WORDS.has(name.toLowerCase()),
  );
  return [...new Set(names.map(([, name = '']) => name))];
}
