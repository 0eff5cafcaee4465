export interface Tag {
  readonly name: string;
  /** One entry of the resource, in sentences. */
  readonly singular: string;
  readonly description: string;
}

const tag = (name: string, singular: string, description: string): Tag => ({ name, singular, description });

/** Every resource of the product, in the order of the documents. */
export const TAGS: readonly Tag[] = [
  tag(
    'Sign-in',
    'session',
    'Sessions of people: sign-in with a password, refresh, sign-out, invitations and forgotten passwords. An access ' +
      'token lives for 15 minutes; a refresh token is used once and gives the next pair.',
  ),
  tag(
    'Second factor',
    'factor',
    'Authenticator apps, passkeys and recovery codes, and their use at sign-in and before privileged acts.',
  ),
  tag('Users', 'user', 'The people of a partner or an organisation, with their role and reach.'),
  tag('Roles', 'role', 'Named sets of permissions. A user cannot grant a permission that they lack.'),
  tag(
    'API keys',
    'API key',
    'Keys for programs. A key has some of the permissions of its owner, and never a second factor.',
  ),
  tag(
    'SSO providers',
    'identity provider',
    'The identity providers of partners and organisations: OpenID Connect and SAML 2.0.',
  ),
  tag(
    'SSO domains',
    'domain',
    'The domains of an organisation, which prove whose addresses its provider may speak for.',
  ),
  tag(
    'SSO set-up',
    'set-up link',
    'Links with which the administrator of an identity provider, who has no account here, sets up single sign-on.',
  ),
  tag(
    'SSO sign-in',
    'sign-in',
    'The way of a browser through an identity provider: discovery, start, return, and the exchange of the code.',
  ),
  tag(
    'SSO watch',
    'change of metadata',
    'What changes or runs out at identity providers: their metadata, certificates and secrets.',
  ),
  tag(
    'SSO attempts',
    'sign-in attempt',
    'Sign-ins through identity providers that have ended, with the steps that they took: what support reads when a ' +
      'person cannot sign in.',
  ),
  tag('Linked accounts', 'link', "The links between a person's account and identity providers."),
  tag('Branding', 'branding', "The partner's logo and colours on the sign-in page."),
  tag('Keys', 'key', 'The public keys with which access tokens are verified.'),
  tag('Services', 'service', 'The services of the installation and what each measures of itself, for its operators.'),
  tag('Partners', 'partner', 'Managed-service providers: the tenants of the platform, above their organisations.'),
  tag(
    'Organizations',
    'organisation',
    "A partner's customers: their record, order, archive, and merging two into one.",
  ),
  tag('Sites', 'site', 'Locations of an organisation; each device is at one.'),
  tag('Contacts', 'contact', 'People to speak to at an organisation, also imported from other systems.'),
  tag('Enrollment keys', 'enrolment key', 'Keys with which new devices join an organisation.'),
  tag('Devices', 'device', 'The computers that agents manage.'),
  tag('Device groups', 'device group', 'Lists of devices that policies can be assigned to.'),
  tag(
    'Configuration policies',
    'configuration policy',
    'Settings of agents, assigned at several levels; the closest assignment wins.',
  ),
  tag(
    'Custom fields',
    'custom field',
    'Fields that a partner or an organisation defines for its devices, and their values.',
  ),
  tag('Custom field values', 'device', 'The values of custom fields on devices, also imported from other systems.'),
  tag('Scripts', 'script', 'The library of scripts of a partner or an organisation.'),
  tag('Agents', 'device', 'Enrolment, configuration and reports of devices, which their agents call.'),
  tag('Agent commands', 'device', 'Commands that agents take and answer.'),
  tag(
    'Elevation requests',
    'elevation request',
    'Requests for elevated rights: a consent prompt on a device, a technician, or the tool of an AI agent. Rules ' +
      'decide at once or leave the request pending for a technician.',
  ),
  tag('AI tool actions', 'tool action', 'AI agents ask for the use of a tool on a device.'),
  tag('Approvals', 'approval', 'One card for each technician who may decide a pending request.'),
  tag('PAM rules', 'rule', 'The rules that decide requests; the first that matches wins.'),
  tag(
    'PAM replays',
    'replay',
    'Requests of the past, decided again under a changed rule set, which can then be applied as it was replayed.',
  ),
  tag('PAM signer groups', 'signer group', 'Named lists of signers that rules refer to.'),
  tag(
    'PAM freezes',
    'freeze',
    'Emergency stops of privileged access on a device, a site, an organisation or a partner.',
  ),
  tag(
    'Software policies',
    'software policy',
    'Allow, block or audit lists of software, which decide before the rules.',
  ),
  tag('PAM config', 'configuration', "An organisation's defaults for requests that no rule decides."),
  tag('Audit log', 'entry', 'What happened, in chains of entries that cannot be changed unnoticed.'),
  tag('Push subscriptions', 'subscription', 'Where a technician is told of new approvals.'),
  tag('Live events', 'event', 'Server-sent events of what a console shows.'),
];

const byName = new Map(TAGS.map((each) => [each.name.toLowerCase(), each]));

/** @throws when the tag of a controller has no description here */
export function tagOf(name: string): Tag {
  const found = byName.get(name.toLowerCase());
  if (!found) throw new Error(`the tag "${name}" has no entry in tools/openapi/src/tags.ts: give it a description`);
  return found;
}
