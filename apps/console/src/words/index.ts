import account from './en/account.json';
import active from './en/active.json';
import approvals from './en/approvals.json';
import audit from './en/audit.json';
import capture from './en/capture.json';
import type captureLevels from './en/captureLevels.json';
import type contacts from './en/contacts.json';
import type devices from './en/devices.json';
import elevation from './en/elevation.json';
import freezes from './en/freezes.json';
import type library from './en/library.json';
import type organizations from './en/organizations.json';
import type imports from './en/import.json';
import overview from './en/overview.json';
import people from './en/people.json';
import type place from './en/place.json';
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

/** The texts of the first views, in ICU message syntax; a file for each feature. */
export const WORDS = {
  account,
  active,
  approvals,
  audit,
  capture,
  elevation,
  freezes,
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

/** Words that come with the screens that use them. */
interface LateWords {
  readonly captureLevels: typeof captureLevels;
  readonly contacts: typeof contacts;
  readonly devices: typeof devices;
  readonly import: typeof imports;
  readonly library: typeof library;
  readonly organizations: typeof organizations;
  readonly place: typeof place;
}

/** Adds the words of a feature; its screens call it as they are loaded, before they are shown. */
export const addWords = (words: Partial<LateWords>): void => void Object.assign(WORDS, words);

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof WORDS & LateWords;
    Locale: 'en';
  }
}
