/** Names of the decorators on a class or member, called (`@Get()`) or bare (`@Get`). */
export const decoratorNames = (node) =>
  (node.decorators ?? []).map(
    ({ expression }) => (expression.type === 'CallExpression' ? expression.callee : expression).name,
  );
