/** Names of the decorators on a class or member, called (`@Get()`) or bare (`@Get`). */
const decoratorNames = (node) =>
  (node.decorators ?? []).map(
    ({ expression }) => (expression.type === 'CallExpression' ? expression.callee : expression).name,
  );

const ROUTES = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete', 'All', 'Head', 'Options', 'Search', 'Sse']);
const DECLARATIONS = new Set(['Public', 'Requires', 'AgentRoute', 'SetupRoute', 'OperatorRoute', 'Internal']);

/** A handler declares its access, on itself or on its controller. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'a route handler declares its access' },
    messages: {
      undeclared:
        '{{name}} is a route that does not say who may call it: add @Public, @Requires, @AgentRoute, @SetupRoute, @OperatorRoute or @Internal.',
    },
    schema: [],
  },
  create(context) {
    const declares = (node) => decoratorNames(node).some((name) => DECLARATIONS.has(name));
    return {
      MethodDefinition(node) {
        const isRoute = decoratorNames(node).some((name) => ROUTES.has(name));
        if (!isRoute || declares(node) || declares(node.parent.parent)) return;
        context.report({
          node: node.key,
          messageId: 'undeclared',
          data: { name: context.sourceCode.getText(node.key) },
        });
      },
    };
  },
};
