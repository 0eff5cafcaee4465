import {
  type Icon,
  IconActivity,
  IconBooks,
  IconBuilding,
  IconChecklist,
  IconClockPlay,
  IconDevices,
  IconFileText,
  IconHistory,
  IconHome,
  IconKey,
  IconListCheck,
  IconServer,
  IconSettings,
  IconSnowflake,
  IconUsers,
} from '../ui/icons.tsx';
import type { LinkProps } from '@tanstack/react-router';
import type { Operation } from '../api/generated/access.ts';

/** Requests that wait for a decision; elevations that are in force. */
export type Counted = 'waiting' | 'active';

export interface NavigationEntry {
  readonly label:
    | 'overview'
    | 'approvals'
    | 'active'
    | 'freezes'
    | 'requests'
    | 'devices'
    | 'organizations'
    | 'rules'
    | 'people'
    | 'signOn'
    | 'library'
    | 'audit'
    | 'settings'
    | 'system'
    | 'health';
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon: Icon;
  /** The reading operation that the screen needs; the entry is absent without it. */
  readonly needs: Operation;
  /** What is counted behind the label. */
  readonly count?: Counted;
}

/** In order of use. An entry appears when its screen exists and the person may read it. */
const NAVIGATION: readonly NavigationEntry[] = [
  { label: 'overview', to: '/', icon: IconHome, needs: 'POST /pam/rules' },
  {
    label: 'approvals',
    to: '/approvals',
    icon: IconChecklist,
    needs: 'GET /pam/elevation-requests',
    count: 'waiting',
  },
  { label: 'active', to: '/active', icon: IconClockPlay, needs: 'GET /pam/active', count: 'active' },
  { label: 'freezes', to: '/freezes', icon: IconSnowflake, needs: 'GET /pam/freezes' },
  { label: 'requests', to: '/requests', icon: IconHistory, needs: 'GET /pam/elevation-requests' },
  { label: 'devices', to: '/devices', icon: IconDevices, needs: 'GET /devices' },
  { label: 'organizations', to: '/orgs', icon: IconBuilding, needs: 'GET /orgs' },
  { label: 'rules', to: '/rules', icon: IconListCheck, needs: 'GET /pam/rules' },
  { label: 'people', to: '/people', icon: IconUsers, needs: 'GET /users' },
  { label: 'signOn', to: '/sign-on', icon: IconKey, needs: 'POST /sso/providers' },
  { label: 'library', to: '/library/scripts', icon: IconBooks, needs: 'GET /scripts' },
  { label: 'audit', to: '/audit', icon: IconFileText, needs: 'GET /audit-logs' },
  { label: 'settings', to: '/settings/partner', icon: IconSettings, needs: 'GET /orgs/partners/me' },
  // For people of an organisation, whom the partner's settings do not concern.
  { label: 'settings', to: '/settings/defaults', needs: 'GET /pam/config', icon: IconSettings },
  { label: 'system', to: '/system/partners', icon: IconServer, needs: 'GET /orgs/partners' },
  { label: 'health', to: '/system/services', icon: IconActivity, needs: 'GET /services/{service}' },
];

/** The entries of a person: of two with one label, the first that may be read. Operators begin with the partners. */
export const navigationFor = (can: (operation: Operation) => boolean): readonly NavigationEntry[] =>
  NAVIGATION.filter(({ needs }) => can(needs)).filter(
    ({ label }, at, all) =>
      all.findIndex((other) => other.label === label) === at && !(label === 'overview' && can('GET /orgs/partners')),
  );
