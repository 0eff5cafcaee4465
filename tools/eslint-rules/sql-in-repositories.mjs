const HOMES = /\.(?:repository|sql)\.(?:ts|mjs)$|[/\\]migrations[/\\]/;
const STATEMENT =
  /^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|WITH\s+(?:RECURSIVE\s+)?\S+\s+(?:\([^)]*\)\s+)?AS\s*(?:NOT\s+|MATERIALIZED\s*)*\()/;

/** SQL statements stand in repositories and migrations, where a reader looks for the queries of a table. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'SQL stands in repositories and migrations only' },
    messages: { misplaced: 'Move this SQL into a *.repository.ts or a migration.' },
    schema: [],
  },
  create(context) {
    if (HOMES.test(context.filename)) return {};
    const check = (node, text) => STATEMENT.test(text) && context.report({ node, messageId: 'misplaced' });
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.raw).join('x')),
    };
  },
};
