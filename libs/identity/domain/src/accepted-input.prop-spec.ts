import 'reflect-metadata';
import * as core from '@gatehouse/contracts-core';
import * as identity from '@gatehouse/contracts-identity';
import * as pam from '@gatehouse/contracts-pam';
import * as tenancy from '@gatehouse/contracts-tenancy';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage, validateSync } from 'class-validator';
import fc from 'fast-check';
import {
  type AccountFacts,
  type AccountPolicy,
  decideAccount,
  EMAIL_NAME_ID,
  type Identity,
  mapClaims,
  SAML_CLAIM_MAPPING,
  samlClaims,
} from './index.ts';

/** Judges one member alone: what else the class demands is left out. */
function takes(type: Class, member: string, value: unknown): boolean {
  const instance = Object.assign(new type(), { [member]: value });
  return !validateSync(instance, { forbidUnknownValues: false, skipMissingProperties: true }).some(
    ({ property }) => property === member,
  );
}

const dto =
  (type: Class, member: string): Door =>
  (value) =>
    takes(type, member, value) ? value : undefined;
const folded =
  (door: Door): Door =>
  (value) =>
    door(value)?.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const NEWCOMER: AccountFacts = {
  ownerOpen: true,
  linked: null,
  byEmail: null,
  domainVerified: true,
  defaultRole: 'fine',
};
const WELCOMING: AccountPolicy = { axis: 'organization', allowedDomains: null, autoProvision: true, enforceSso: false };
const OIDC = { email: 'email', name: 'name', firstName: 'given', lastName: 'family' };
/** An identity whose address is none is refused by every account decision. */
const enters = (identity: Identity | null): Identity | null =>
  identity && decideAccount(identity, NEWCOMER, WELCOMING).kind === 'provision' ? identity : null;
const claim =
  (what: 'email' | 'name', name: string): Door =>
  (value) =>
    enters(mapClaims([{ sub: 's', email: 'a@corp.example', [name]: value }], OIDC))?.[what];
const samlSubject = (nameId: string, attributes: [string, string[]][]) =>
  samlClaims({ nameId, nameIdFormat: EMAIL_NAME_ID, sessionIndex: null, attributes }, OIDC);
const nameId: Door = (value) => enters(mapClaims([samlSubject(value, [])], SAML_CLAIM_MAPPING))?.email;
const samlName: Door = (value) =>
  mapClaims([samlSubject('a@corp.example', [['name', [value]]])], SAML_CLAIM_MAPPING)?.name;

const MADE_BY_SERVER = null;

/** Where each text of each event comes from; an event member that is not listed fails the test. */
const DOORS: Readonly<Record<string, readonly Door[] | typeof MADE_BY_SERVER>> = {
  'TechnicianState.email': [
    folded(dto(identity.InviteUserDto, 'email')),
    folded(dto(identity.LoginDto, 'email')),
    claim('email', 'email'),
    nameId,
  ],
  'TechnicianState.name': [
    dto(identity.InviteUserDto, 'name'),
    dto(identity.UpdateUserDto, 'name'),
    dto(identity.AcceptInviteDto, 'name'),
    claim('name', 'name'),
    claim('name', 'given'),
    claim('name', 'family'),
    claim('name', 'email'),
    samlName,
  ],
  'PartnerState.name': [
    dto(tenancy.CreatePartnerDto, 'name'),
    dto(tenancy.UpdatePartnerDto, 'name'),
    dto(tenancy.UpdateOwnPartnerDto, 'name'),
  ],
  'PartnerState.slug': [dto(tenancy.CreatePartnerDto, 'slug'), dto(tenancy.UpdatePartnerDto, 'slug')],
  'OrganizationState.name': [dto(tenancy.CreateOrganizationDto, 'name'), dto(tenancy.UpdateOrganizationDto, 'name')],
  'SiteState.name': [dto(tenancy.CreateSiteDto, 'name'), dto(tenancy.UpdateSiteDto, 'name')],
  'DeviceGroupState.name': [dto(tenancy.CreateDeviceGroupDto, 'name'), dto(tenancy.UpdateDeviceGroupDto, 'name')],
  'DeviceState.hostname': [dto(tenancy.EnrollAgentDto, 'hostname')],
  'DeviceReenrolment.hostname': [dto(tenancy.EnrollAgentDto, 'hostname')],
  'ApprovalMail.deviceHostname': [dto(tenancy.EnrollAgentDto, 'hostname')],
  'RequestOutcome.deviceHostname': [dto(tenancy.EnrollAgentDto, 'hostname')],
  'DeviceState.agentTokenHash': MADE_BY_SERVER,
  'DeviceState.previousTokenHash': MADE_BY_SERVER,
  'SigningKeysDrop.kids': MADE_BY_SERVER,
  'ElevationFact.actorId': MADE_BY_SERVER,
  'ElevationVoteFact.actorId': MADE_BY_SERVER,
  'ElevationEscalationFact.actorId': MADE_BY_SERVER,
  'ApprovalPush.title': MADE_BY_SERVER,
  'ApprovalPush.expiresAt': MADE_BY_SERVER,
};

describe('whatever a door accepts', () => {
  it('has a door, or is made by the server, for each text of each event (ATK-16b)', () => {
    const texts = PAYLOADS.flatMap((type) => textMembersOf(type).map((member) => `${type.name}.${member}`));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => !(text in DOORS))).toEqual([]);
  });

  it.each(Object.entries(DOORS).flatMap(([text, doors]) => (doors ?? []).map((door, at) => [text, at, door] as const)))(
    'is an event that its consumers accept: %s, door %i (ATK-16b)',
    (text, _, door) => {
      const [typeName, member = ''] = text.split('.');
      const type = PAYLOADS.find(({ name }) => name === typeName);
      if (!type) throw new Error(`there is no event of ${typeName}`);
      let accepted = 0;
      fc.assert(
        fc.property(values, (value) => {
          const carried = door(value);
          if (carried === undefined) return;
          accepted++;
          expect([value, takes(type, member, carried)]).toEqual([value, true]);
        }),
        { numRuns: 1_000 },
      );
      expect(accepted).toBeGreaterThan(20);
    },
  );
});

type Class = new () => object;
/** @returns the value as the event carries it, or undefined when the door refuses it */
type Door = (value: string) => string | undefined;

const validatorsOf = (type: Class) => getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
const textMembersOf = (type: Class): string[] => [
  ...new Set(
    validatorsOf(type)
      .filter(({ name }) => name === 'text' || name === 'mailAddress')
      .map(({ propertyName }) => propertyName),
  ),
];

const isEvent = (value: unknown): value is core.EventType<object> =>
  typeof value === 'object' && value !== null && 'subject' in value && 'payload' in value;
const PAYLOADS = [
  ...new Set(
    [core, identity, pam, tenancy]
      .flatMap((contracts) => Object.values(contracts as object))
      .filter(isEvent)
      .map(({ payload }) => payload),
  ),
];

const ODD = [
  '\n',
  '\r\n',
  '\t',
  '\0',
  '\u0001',
  '\u007f',
  '\u202e',
  '\u200b',
  '\u2060',
  '\u00ad',
  '\ufeff',
  '\ud800',
  '\u3164',
  '"',
  '\\',
  '@',
  '..',
  '.',
  ' ',
  ',',
  '\u212a',
  'ａ',
  '👍',
  'é',
  'x'.repeat(64),
];
const mixed = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
    fc.constantFrom(...ODD),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
  { maxLength: 8 },
);
const host = fc.constantFrom(
  'corp.example',
  'localhost',
  'corp.example.',
  '-corp.example',
  'corp..example',
  '10.0.0.1',
  'münchen.example',
  `${'b'.repeat(60)}.example`,
);
const local = fc.oneof(
  fc.constantFrom('ada', 'Ada.L', 'a..b', '.a', '"a b"', '"a\nb"', "o'neil"),
  fc.nat({ max: 310 }).map((length) => 'a'.repeat(length + 1)),
  mixed.map((parts) => parts.join('')),
);
const address = fc.tuple(local, host).map(([name, domain]) => `${name}@${domain}`);
const values = fc.oneof(
  address,
  mixed.map((parts) => parts.join('')),
  fc.nat({ max: 300 }).map((length) => 'n'.repeat(length)),
  fc.nat({ max: 300 }).map((length) => '👍'.repeat(length)),
);
