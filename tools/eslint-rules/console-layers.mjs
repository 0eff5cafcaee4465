import { dirname, join, normalize } from 'node:path';

const SOURCE = 'apps/console/src/';
/** What a folder of the console may import beside itself. Files at the top put all of them together. */
const MAY_IMPORT = {
  words: [],
  api: ['words'],
  ui: ['api', 'words'],
  shell: ['ui', 'api', 'words'],
  features: ['shell', 'ui', 'api', 'words'],
};

/**
 * The folder below `src`, and the name of the feature inside `features`; null at the top and outside of the console.
 */
function placeOf(path) {
  const [, below] = path.replaceAll('\\', '/').split(SOURCE);
  const [folder, name, ...rest] = below?.split('/') ?? [];
  if (!(folder in MAY_IMPORT) || name === undefined) return null;
  return { folder, feature: folder === 'features' && rest.length > 0 ? name : null };
}

/** Folders of the console import downwards, and a feature imports no other feature: they meet through typed routes. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'folders of the console import downwards' },
    messages: {
      upwards: '{{from}}/ must not import from {{to}}/.',
      feature: 'A feature must not import another feature; link to its route, or move the part to ui/ or shell/.',
    },
    schema: [],
  },
  create(context) {
    const from = placeOf(context.filename);
    const check = (node) => {
      if (from === null || !node.source?.value?.startsWith?.('.')) return;
      const to = placeOf(normalize(join(dirname(context.filename), node.source.value)));
      const fault = to && faultOf(from, to);
      if (fault) context.report({ node, messageId: fault, data: { from: from.folder, to: to.folder } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

function faultOf(from, to) {
  if (to.folder !== from.folder) return MAY_IMPORT[from.folder].includes(to.folder) ? null : 'upwards';
  // `features/index.ts` gathers all features, and belongs to none.
  return from.feature !== null && to.feature !== from.feature ? 'feature' : null;
}
