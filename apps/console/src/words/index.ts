import active from './en/active.json';
import approvals from './en/approvals.json';
import audit from './en/audit.json';
import devices from './en/devices.json';
import elevation from './en/elevation.json';
import problems from './en/problems.json';
import requests from './en/requests.json';
import rules from './en/rules.json';
import shell from './en/shell.json';
import ui from './en/ui.json';

/** All texts, in ICU message syntax; a file for each feature. */
export const WORDS = { active, approvals, audit, devices, elevation, problems, requests, rules, shell, ui } as const;

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof WORDS;
    Locale: 'en';
  }
}
