import account from './en/account.json';
import active from './en/active.json';
import approvals from './en/approvals.json';
import audit from './en/audit.json';
import capture from './en/capture.json';
import devices from './en/devices.json';
import elevation from './en/elevation.json';
import freezes from './en/freezes.json';
import organizations from './en/organizations.json';
import overview from './en/overview.json';
import people from './en/people.json';
import problems from './en/problems.json';
import requests from './en/requests.json';
import rules from './en/rules.json';
import settings from './en/settings.json';
import shell from './en/shell.json';
import signerGroups from './en/signerGroups.json';
import signOn from './en/signOn.json';
import softwarePolicies from './en/softwarePolicies.json';
import system from './en/system.json';
import ui from './en/ui.json';

/** All texts, in ICU message syntax; a file for each feature. */
export const WORDS = {
  account,
  active,
  approvals,
  audit,
  capture,
  devices,
  elevation,
  freezes,
  organizations,
  overview,
  people,
  problems,
  requests,
  rules,
  settings,
  shell,
  signerGroups,
  signOn,
  softwarePolicies,
  system,
  ui,
} as const;

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof WORDS;
    Locale: 'en';
  }
}
