import type account from './en/account.json';
import type active from './en/active.json';
import type approvals from './en/approvals.json';
import type audit from './en/audit.json';
import type auditActs from './en/auditActs.json';
import type capture from './en/capture.json';
import type captureLevels from './en/captureLevels.json';
import type contacts from './en/contacts.json';
import type devices from './en/devices.json';
import type elevation from './en/elevation.json';
import type freezes from './en/freezes.json';
import type imports from './en/import.json';
import type library from './en/library.json';
import type many from './en/many.json';
import type organizations from './en/organizations.json';
import type overview from './en/overview.json';
import type partnerRules from './en/partnerRules.json';
import type people from './en/people.json';
import type place from './en/place.json';
import type policies from './en/policies.json';
import type requests from './en/requests.json';
import type rules from './en/rules.json';
import type sessions from './en/sessions.json';
import type settings from './en/settings.json';
import type signerGroups from './en/signerGroups.json';
import type signOn from './en/signOn.json';
import type softwarePolicies from './en/softwarePolicies.json';
import type system from './en/system.json';
import problems from './en/problems.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import ui from './en/ui.json' with { type: 'json' };

/** The texts of the first view, in ICU message syntax; a file for each feature. */
export const WORDS = { problems, shell, ui } as const;

/** Words that come with the screens and parts that use them. */
interface LateWords {
  readonly account: typeof account;
  readonly active: typeof active;
  readonly approvals: typeof approvals;
  readonly audit: typeof audit;
  readonly auditActs: typeof auditActs;
  readonly capture: typeof capture;
  readonly captureLevels: typeof captureLevels;
  readonly contacts: typeof contacts;
  readonly devices: typeof devices;
  readonly elevation: typeof elevation;
  readonly freezes: typeof freezes;
  readonly import: typeof imports;
  readonly library: typeof library;
  readonly many: typeof many;
  readonly organizations: typeof organizations;
  readonly overview: typeof overview;
  readonly partnerRules: typeof partnerRules;
  readonly people: typeof people;
  readonly place: typeof place;
  readonly policies: typeof policies;
  readonly requests: typeof requests;
  readonly rules: typeof rules;
  readonly sessions: typeof sessions;
  readonly settings: typeof settings;
  readonly signerGroups: typeof signerGroups;
  readonly signOn: typeof signOn;
  readonly softwarePolicies: typeof softwarePolicies;
  readonly system: typeof system;
}

/** Adds words as the file is loaded that calls it: one that all screens load which show the words. */
export const addWords = (words: Partial<LateWords>): void => void Object.assign(WORDS, words);

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof WORDS & LateWords;
  }
}
