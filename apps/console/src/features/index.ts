import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { demand, may, meQuery } from '../api/me.ts';
import { rootRoute } from '../shell/shell.tsx';
import { CONTEXT, id, oneOf, OF_PARTNER, pageNumber, searchOf, text } from '../shell/search.ts';
import { ACTIVE_SORTS } from '../ui/elevation/active.ts';
import { LEVELS } from '../ui/place/tree/queries.ts';
import { approvalsRoutes } from './approvals/routes.tsx';
import { auditRoutes } from './audit/routes.tsx';
import { ROLES as CONTACT_ROLES, SORTS as CONTACT_SORTS } from './contacts/model.ts';
import { devicesRoutes } from './devices/routes.tsx';
import { STATES as FREEZE_STATES } from './freezes/model.ts';
import { libraryRoutes } from './library/routes.tsx';
import { SORTS as ORGANIZATION_SORTS, STATUSES as ORGANIZATION_STATUSES } from './organizations/queries.ts';
import { peopleRoutes } from './people/routes.tsx';
import { requestsRoutes } from './requests/routes.tsx';
import { rulesRoutes } from './rules/routes.tsx';
import { signOnRoutes } from './sign-on/routes.tsx';

const accountRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings/profile',
    validateSearch: searchOf({ ssoLinked: text, ssoLinkError: text, attempt: id }),
    component: lazyRouteComponent(() => import('./account/screens/profile-page.tsx'), 'ProfilePage'),
  }),
] as const;

const activeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/active',
    validateSearch: searchOf({ ...CONTEXT, sort: oneOf(ACTIVE_SORTS) }),
    component: lazyRouteComponent(() => import('./active/screens/active-list.tsx'), 'ActiveList'),
  }),
] as const;

const captureRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings/defaults',
    validateSearch: searchOf(CONTEXT),
    component: lazyRouteComponent(() => import('./capture/screens/defaults-page.tsx'), 'DefaultsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules/capture',
    validateSearch: searchOf({ ...CONTEXT, page: pageNumber, device: id }),
    component: lazyRouteComponent(() => import('./capture/screens/capture-list.tsx'), 'CaptureList'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules/capture/$policyId',
    validateSearch: searchOf(CONTEXT),
    component: lazyRouteComponent(() => import('./capture/screens/capture-policy.tsx'), 'CapturePolicyPage'),
  }),
] as const;

const contactsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/orgs/$orgId/contacts',
    validateSearch: searchOf({ site: text, role: oneOf(CONTACT_ROLES), sort: oneOf(CONTACT_SORTS), page: pageNumber }),
    component: lazyRouteComponent(() => import('./contacts/screens/contact-list.tsx'), 'ContactList'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/orgs/$orgId/contacts/import',
    beforeLoad: demand('POST /orgs/contacts/import'),
    component: lazyRouteComponent(() => import('./contacts/screens/contact-import.tsx'), 'ContactImport'),
  }),
] as const;

const freezesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/freezes',
    validateSearch: searchOf({ ...CONTEXT, state: oneOf(FREEZE_STATES) }),
    component: lazyRouteComponent(() => import('./freezes/screens/freeze-list.tsx'), 'FreezeList'),
  }),
] as const;

const organizationsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/orgs',
    validateSearch: searchOf({
      partner: id,
      status: oneOf(ORGANIZATION_STATUSES),
      q: text,
      sort: oneOf(ORGANIZATION_SORTS),
      page: pageNumber,
    }),
    component: lazyRouteComponent(() => import('./organizations/screens/organization-list.tsx'), 'OrganizationList'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/orgs/$orgId',
    component: lazyRouteComponent(() => import('./organizations/screens/organization-page.tsx'), 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/orgs/$orgId/merge',
    validateSearch: searchOf({ survivor: text, run: text }),
    beforeLoad: demand('POST /orgs/organizations/{id}/merge-preview'),
    component: lazyRouteComponent(() => import('./organizations/screens/merge-page.tsx'), 'MergePage'),
  }),
] as const;

/**
 * The start page of a role: operators see the partners, administrators the overview, technicians the approvals that
 * wait, auditors the log.
 */
const homeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    validateSearch: searchOf(CONTEXT),
    beforeLoad: async ({ context }) => {
      const me = await context.queryClient.ensureQueryData(meQuery);
      if (me.scope === 'system') throw redirect({ to: '/system/partners' });
      if (may(me, 'POST /pam/rules')) return;
      if (may(me, 'POST /pam/elevation-requests/{id}/respond')) throw redirect({ to: '/approvals' });
      throw redirect({ to: may(me, 'GET /audit-logs') ? '/audit' : '/requests' });
    },
    component: lazyRouteComponent(() => import('./overview/screens/overview-page.tsx'), 'OverviewPage'),
  }),
] as const;

const settingsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings/partner',
    beforeLoad: demand('POST /auth/logout', 'partner', 'system'),
    ...OF_PARTNER,
    component: lazyRouteComponent(() => import('./settings/screens/partner-page.tsx'), 'PartnerPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings/branding',
    beforeLoad: demand('GET /partners/me/login-branding'),
    component: lazyRouteComponent(() => import('./settings/screens/branding-page.tsx'), 'BrandingPage'),
  }),
] as const;

const signerGroupsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules/signer-groups',
    validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
    component: lazyRouteComponent(() => import('./signer-groups/screens/signer-group-list.tsx'), 'SignerGroupList'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules/partner/signer-groups',
    beforeLoad: demand('GET /pam/signer-groups', 'partner', 'system'),
    ...OF_PARTNER,
    component: lazyRouteComponent(() => import('./signer-groups/screens/signer-group-list.tsx'), 'PartnerSignerGroups'),
  }),
] as const;

const softwarePoliciesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules/software-policies',
    validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
    component: lazyRouteComponent(() => import('./software-policies/screens/policy-list.tsx'), 'PolicyList'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules/software-policies/places',
    validateSearch: searchOf({ ...CONTEXT, level: oneOf(LEVELS), place: id }),
    component: lazyRouteComponent(() => import('./software-policies/screens/policy-places.tsx'), 'PolicyPlaces'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/rules/software-policies/$policyId',
    validateSearch: searchOf(CONTEXT),
    component: lazyRouteComponent(() => import('./software-policies/screens/policy-page.tsx'), 'PolicyPage'),
  }),
] as const;

const systemRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/system/partners',
    beforeLoad: demand('GET /orgs/partners'),
    validateSearch: searchOf({ q: text, page: pageNumber }),
    component: lazyRouteComponent(() => import('./system/screens/partner-list.tsx'), 'PartnerList'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/system/services',
    beforeLoad: demand('GET /services/{service}'),
    component: lazyRouteComponent(() => import('./system/screens/service-health.tsx'), 'ServiceHealth'),
  }),
] as const;

/** The routes of all features: those of few lines stand above, the others in the folder of their feature. */
export const featureRoutes = [
  ...homeRoutes,
  ...approvalsRoutes,
  ...activeRoutes,
  ...freezesRoutes,
  ...requestsRoutes,
  ...devicesRoutes,
  ...organizationsRoutes,
  ...contactsRoutes,
  ...rulesRoutes,
  ...signerGroupsRoutes,
  ...softwarePoliciesRoutes,
  ...captureRoutes,
  ...peopleRoutes,
  ...signOnRoutes,
  ...libraryRoutes,
  ...auditRoutes,
  ...accountRoutes,
  ...settingsRoutes,
  ...systemRoutes,
] as const;
