const SCOPES = new Set([
  'TenantScope',
  'Caller',
  'UserCaller',
  'AgentCaller',
  'ServiceCaller',
  'AnonymousCaller',
  'Tx',
  'Reader',
]);
const LEADING = 2;
/** Methods that touch no rows. */
const WITHOUT_ROWS = new Set(['close']);

/** Public methods of a `*.repository.ts` take the scope in which they work as one of their first two parameters. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'repository methods take the scope' },
    messages: {
      scopeless: '{{name}} does not say in whose scope it works: take a TenantScope, Caller, Tx or Reader first.',
    },
    schema: [],
  },
  create(context) {
    if (!context.filename.endsWith('.repository.ts')) return {};
    return {
      'MethodDefinition[kind="method"]'(node) {
        const isHidden = ['private', 'protected'].includes(node.accessibility) || node.key.type === 'PrivateIdentifier';
        if (isHidden || WITHOUT_ROWS.has(node.key.name) || node.value.params.slice(0, LEADING).some(isScope)) return;
        context.report({
          node: node.key,
          messageId: 'scopeless',
          data: { name: context.sourceCode.getText(node.key) },
        });
      },
    };
  },
};

function isScope(parameter) {
  const annotated = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return namesScope(annotated.typeAnnotation?.typeAnnotation);
}

function namesScope(type) {
  if (type?.type === 'TSUnionType') return type.types.every(namesScope);
  return type?.type === 'TSTypeReference' && SCOPES.has(type.typeName.name);
}
