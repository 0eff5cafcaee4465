import disableGivesReason from './disable-gives-reason.mjs';
import noProcessEnv from './no-process-env.mjs';
import repositoryTakesScope from './repository-takes-scope.mjs';
import routeDeclaresAccess from './route-declares-access.mjs';
import specRefFormat from './spec-ref-format.mjs';

export default {
  meta: { name: 'gatehouse' },
  rules: {
    'disable-gives-reason': disableGivesReason,
    'no-process-env': noProcessEnv,
    'repository-takes-scope': repositoryTakesScope,
    'route-declares-access': routeDeclaresAccess,
    'spec-ref-format': specRefFormat,
  },
};
