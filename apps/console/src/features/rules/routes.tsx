import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demand } from '../../api/me.ts';
import { rootRoute } from '../../shell/shell.tsx';
import { OUTCOMES } from './replays/candidate.ts';
import { CONTEXT, flag, id, oneOf, OF_PARTNER, pageNumber, searchOf } from '../../shell/search.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules',
  validateSearch: searchOf({ ...CONTEXT, findings: flag, expiring: flag, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/rule-list.tsx'), 'RuleList'),
});

const create = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId/rules/new',
  validateSearch: searchOf({ from: id }),
  beforeLoad: demand('POST /pam/rules'),
  component: lazyRouteComponent(() => import('./screens/new-rule.tsx'), 'NewRule'),
});

const edit = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId/rules/$ruleId',
  component: lazyRouteComponent(() => import('./screens/edit-rule.tsx'), 'EditRule'),
});

const ofPartner = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/partner',
  ...OF_PARTNER,
  beforeLoad: demand('GET /pam/rules', 'partner', 'system'),
  component: lazyRouteComponent(() => import('./screens/partner-rule-list.tsx'), 'PartnerRuleList'),
});

const createOfPartner = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/partner/new',
  ...OF_PARTNER,
  beforeLoad: demand('POST /pam/rules', 'partner', 'system'),
  component: lazyRouteComponent(() => import('./screens/new-partner-rule.tsx'), 'NewPartnerRule'),
});

const oneOfPartner = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/partner/$ruleId',
  ...OF_PARTNER,
  component: lazyRouteComponent(() => import('./screens/edit-rule.tsx'), 'PartnerRule'),
});

const replays = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId/replays',
  component: lazyRouteComponent(() => import('./screens/replay-list.tsx'), 'ReplayList'),
});

const replay = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId/replays/$replayId',
  validateSearch: searchOf({ from: oneOf(OUTCOMES), to: oneOf(OUTCOMES), page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/replay-page.tsx'), 'ReplayPage'),
});

export const rulesRoutes = [list, create, edit, ofPartner, createOfPartner, oneOfPartner, replays, replay] as const;
