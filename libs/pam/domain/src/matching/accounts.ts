import { domainToASCII } from 'node:url';

/** A person's names that the product knows. */
export interface KnownPerson {
  /** Null for a person without a known address. */
  readonly email: string | null;
  readonly name?: string | null;
}

/** A person who wrote or changed a rule, its signer group, or a software policy. */
export interface RuleEditor {
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  /** The author counts for ever, other editors for `EDITOR_DAYS`. */
  readonly isAuthor: boolean;
  readonly editedAt: Date | null;
}

interface Account {
  readonly user: string;
  /** Null for a name without a domain, and for one of the device itself (`.\user`). */
  readonly domain: string | null;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().trim();
const asciiDomain = (domain: string): string => domainToASCII(domain) || domain;

function addressOf(text: string): Account {
  const at = text.lastIndexOf('@');
  return at < 0 ? { user: text, domain: null } : { user: text.slice(0, at), domain: asciiDomain(text.slice(at + 1)) };
}

/** Reads `DOMAIN\user`, `user@domain`, `DOMAIN\user@domain` and `user`; a slash counts as a backslash. */
function accountOf(name: string): Account {
  const text = folded(name).replaceAll('/', '\\');
  const at = text.lastIndexOf('\\');
  const address = addressOf(text.slice(at + 1));
  if (at < 0 || address.domain !== null) return address;
  const domain = text.slice(0, at);
  return { user: address.user, domain: domain === '' || domain === '.' ? null : asciiDomain(domain) };
}

/** `CORP` and `corp.example` name the domain of `ann@corp.example`, and `EXAMPLE` that of `ann@corp.example.org`. */
function isDomainOf(domain: string, ofMail: string): boolean {
  const labels = ofMail.split('.');
  return domain === ofMail || labels.slice(0, -1).includes(domain);
}

/** Whether an account is known to be the person's: their address, or its local part in the same domain (PAM-303). */
export function isKnownToBe({ email }: KnownPerson, username: string | null): boolean {
  if (email === null || username === null) return false;
  const account = accountOf(username);
  const own = addressOf(folded(email));
  return (
    account.user === own.user &&
    account.domain !== null &&
    own.domain !== null &&
    isDomainOf(account.domain, own.domain)
  );
}

const squeezed = (text: string): string => folded(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
const untagged = (local: string): string => local.split('+', 1)[0]!;

/**
 * Whether an account may be the person's, whatever its domain and however it is written: for what only withholds. Some
 * systems make the account's name of the person's (`AzureAD\AnnLee`).
 */
export function mayBe({ email, name = null }: KnownPerson, username: string | null): boolean {
  const account = squeezed(untagged(accountOf(username ?? '').user));
  if (account === '') return false;
  return [email && untagged(addressOf(folded(email)).user), name].some((own) => !!own && squeezed(own) === account);
}
