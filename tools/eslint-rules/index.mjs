import citationsResolve from './citations-resolve.mjs';
import consoleLayers from './console-layers.mjs';
import repositoryTakesScope from './repository-takes-scope.mjs';
import routeDeclaresAccess from './route-declares-access.mjs';

const DIRECTIVE = /^\s*eslint-disable(?:-next-line|-line)?\b/;
const REASON = /\s--\s+\S/;

/** Switching a rule off needs a reason behind `--`. */
const disableGivesReason = {
  meta: {
    type: 'problem',
    docs: { description: 'eslint-disable comments give a reason' },
    messages: { silent: 'Say why the rule is off: eslint-disable-next-line rule -- reason' },
    schema: [],
  },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (DIRECTIVE.test(comment.value) && !REASON.test(comment.value))
          context.report({ loc: comment.loc, messageId: 'silent' });
      }
    },
  }),
};

/** The environment is read once, by a configuration class. eslint.config.mjs lists the files that may read it. */
const noProcessEnv = {
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

const HOMES = /\.(?:repository|sql)\.(?:ts|mjs)$|[/\\]migrations[/\\]/;
const STATEMENT =
  /^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|WITH\s+(?:RECURSIVE\s+)?\S+\s+(?:\([^)]*\)\s+)?AS\s*(?:NOT\s+|MATERIALIZED\s*)*\()/;

/** SQL statements stand in repositories and migrations, where a reader looks for the queries of a table. */
const sqlInRepositories = {
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

export default {
  meta: { name: 'gatehouse' },
  rules: {
    'citations-resolve': citationsResolve,
    'console-layers': consoleLayers,
    'disable-gives-reason': disableGivesReason,
    'no-process-env': noProcessEnv,
    'repository-takes-scope': repositoryTakesScope,
    'route-declares-access': routeDeclaresAccess,
    'sql-in-repositories': sqlInRepositories,
  },
};
