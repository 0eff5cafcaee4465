import citationsResolve from './citations-resolve.mjs';
import consoleLayers from './console-layers.mjs';
import disableGivesReason from './disable-gives-reason.mjs';
import noProcessEnv from './no-process-env.mjs';
import repositoryTakesScope from './repository-takes-scope.mjs';
import routeDeclaresAccess from './route-declares-access.mjs';
import sqlInRepositories from './sql-in-repositories.mjs';

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
