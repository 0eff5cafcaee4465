/** A person whom the local identity provider knows. An absent key is an absent claim. */
export interface DevUser {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
  given_name?: string;
  family_name?: string;
  groups?: string[];
  /** How the person proved themselves (RFC 8176); goes into the ID token. */
  amr?: string[];
}

export const DEMO_USERS: readonly DevUser[] = [
  {
    sub: 'dev-ada',
    email: 'ada@acme.example',
    email_verified: true,
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
    groups: ['engineering'],
    amr: ['pwd', 'mfa'],
  },
  {
    sub: 'dev-grace',
    email: 'grace@acme.example',
    email_verified: false,
    name: 'Grace Hopper',
    given_name: 'Grace',
    family_name: 'Hopper',
    amr: ['pwd'],
  },
];

export function userByEmail(users: readonly DevUser[], email: string): DevUser | undefined {
  return users.find((user) => user.email.toLowerCase() === email.trim().toLowerCase());
}
