/** The environment is read once, by a configuration class. eslint.config.mjs lists the files that may read it. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'only configuration reads the environment' },
    messages: { ambient: 'Read the environment in a *.config.ts (or main.ts, migrate.ts) and pass the value on.' },
    schema: [],
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'ambient' });
    const isEnv = (key) => key?.name === 'env' || key?.value === 'env';
    return {
      'MemberExpression[object.name="process"]'(node) {
        if (isEnv(node.property)) report(node);
      },
      'VariableDeclarator[init.name="process"] > ObjectPattern > Property'(node) {
        if (isEnv(node.key)) report(node);
      },
      'ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier'(node) {
        if (isEnv(node.imported)) report(node);
      },
    };
  },
};
