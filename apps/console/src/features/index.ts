import { accountRoutes } from './account/routes.tsx';
import { activeRoutes } from './active/routes.tsx';
import { approvalsRoutes } from './approvals/routes.tsx';
import { auditRoutes } from './audit/routes.tsx';
import { captureRoutes } from './capture/routes.tsx';
import { contactsRoutes } from './contacts/routes.tsx';
import { devicesRoutes } from './devices/routes.tsx';
import { freezesRoutes } from './freezes/routes.tsx';
import { libraryRoutes } from './library/routes.tsx';
import { organizationsRoutes } from './organizations/routes.tsx';
import { homeRoutes } from './overview/routes.tsx';
import { peopleRoutes } from './people/routes.tsx';
import { requestsRoutes } from './requests/routes.tsx';
import { rulesRoutes } from './rules/routes.tsx';
import { settingsRoutes } from './settings/routes.tsx';
import { signerGroupsRoutes } from './signer-groups/routes.tsx';
import { signOnRoutes } from './sign-on/routes.tsx';
import { softwarePoliciesRoutes } from './software-policies/routes.tsx';
import { systemRoutes } from './system/routes.tsx';

/** The routes of all features; each feature adds its own here. */
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
