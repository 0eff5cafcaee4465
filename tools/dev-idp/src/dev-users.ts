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

/**
 * Each user has any number of namesakes: `ada+7@acme.example` is a user like Ada with another `sub` and address, so
 * that each demonstration can sign in a new user.
 */
export function userByEmail(users: readonly DevUser[], email: string): DevUser | undefined {
  const wanted = email.trim().toLowerCase();
  const [, local, tag, domain] = /^([^+@]+)(\+[a-z0-9-]{1,64})@(.+)$/.exec(wanted) ?? [];
  const namesake = tag && users.find((user) => user.email.toLowerCase() === `${local}@${domain}`);
  return (
    users.find((user) => user.email.toLowerCase() === wanted) ??
    (namesake ? { ...namesake, sub: `${namesake.sub}${tag}`, email: wanted } : undefined)
  );
}

export function userBySub(users: readonly DevUser[], sub: string): DevUser | undefined {
  const [original = '', tag] = sub.split('+');
  const known = users.find((user) => user.sub === sub) ?? users.find((user) => user.sub === original);
  return known && known.sub !== sub ? userByEmail(users, known.email.replace('@', `+${tag}@`)) : known;
}
