import type { Attempt } from './attempt.ts';
import { PAM } from './attempts-pam.ts';
import { PEOPLE } from './attempts-people.ts';
import { TENANCY } from './attempts-tenancy.ts';
import { TRUST } from './attempts-trust.ts';

export const ATTEMPTS: readonly Attempt[] = [...PEOPLE, ...TRUST, ...TENANCY, ...PAM];
