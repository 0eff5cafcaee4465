import type { SetupAuthenticator } from '@gatehouse/auth';
import {
  type AnonymousCaller,
  asService,
  type Origin,
  ProblemError,
  type SetupCaller,
} from '@gatehouse/contracts-core';
import { type OpenSetupVisitDto, SETUP_VISIT_PREFIX, type SetupVisitOpening } from '@gatehouse/contracts-identity';
import { KeyRing, newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Mailer } from '../../mail/mailer.ts';
import { setupCodeMail } from '../../mail/templates.ts';
import { setupLinkResource } from '../../people/offers/withdraw-dead-offers.ts';
import { SetupLinksService } from './setup-links.service.ts';
import { type SetupLink, SetupLinksRepository, type VisitedLink } from '../../providers/setup-links.repository.ts';

const SERVICE = 'identity';
const A_DAY_MS = 24 * 60 * 60_000;
const CODE_PURPOSE = 'setup link code';
const CODE_DIGITS = 6;

const linkInvalid = (): ProblemError =>
  new ProblemError(
    'setup_link_invalid',
    'This link is not valid or has expired. Ask the person who sent it for a new one.',
  );

/** A visitor, with the link as it is now. */
export interface Visitor extends SetupCaller {
  readonly link: VisitedLink;
}

/** Visits of set-up links. Each call reads the link, its author and its owner anew (SSO-162). */
@Injectable()
export class SetupVisitsService implements SetupAuthenticator {
  constructor(
    private readonly work: UnitOfWork,
    private readonly setupLinksRepository: SetupLinksRepository,
    private readonly setupLinks: SetupLinksService,
    private readonly mailer: Mailer,
    private readonly keyRing: KeyRing,
  ) {}

  async authenticate(token: string, origin: Origin): Promise<Visitor> {
    if (!token.startsWith(SETUP_VISIT_PREFIX))
      throw new ProblemError('token_invalid', 'The credential is not valid for this address.');
    const service = asService(SERVICE, origin);
    const found = await this.work.read(service, async (reader) => {
      const link = await this.setupLinksRepository.byVisit(reader, sha256Hex(token));
      return link && { link, author: await this.setupLinks.authorOf(reader, link, origin) };
    });
    if (!found?.author) throw linkInvalid();
    const { link, author } = found;
    if (link.isStale)
      await this.work.autocommit(service, (statement) => this.setupLinksRepository.seen(statement, link.visitId));
    const setupVisit = { id: link.visitId, linkId: link.id, recipient: link.recipientEmail };
    return { kind: 'setup_link', id: link.id, link, scope: author.scope, origin, author: { ...author, setupVisit } };
  }

  /**
   * `POST /sso/setup/visits`: opens a visit. A link that was made for a recipient first mails a code, and then takes
   * it.
   */
  async open({ origin }: AnonymousCaller, { token, code }: OpenSetupVisitDto): Promise<SetupVisitOpening> {
    const opening = await this.work.run(asService(SERVICE, origin), async (tx) => {
      const link = await this.setupLinksRepository.byToken(tx, sha256Hex(token));
      if (!link || !(await this.setupLinks.authorOf(tx, link, origin))) throw linkInvalid();
      if (link.recipientEmail === null) return this.begin(tx, link);
      if (code === undefined) return this.mailCode(tx, link, link.recipientEmail);
      // The attempt is counted even when it fails, so that is no error of this transaction.
      return (await this.isRight(tx, link, code)) ? this.begin(tx, link) : null;
    });
    if (opening) return opening;
    throw new ProblemError('setup_code_invalid', 'The code is wrong, was used, or is older than ten minutes.');
  }

  private async begin(tx: Tx, link: SetupLink): Promise<SetupVisitOpening> {
    const [visitId, visitToken] = [newId(), `${SETUP_VISIT_PREFIX}${randomToken()}`];
    const expiresAt = await this.setupLinksRepository.openVisit(tx, link, visitId, sha256Hex(visitToken));
    tx.audit({
      action: 'sso.setup_link.open',
      resource: setupLinkResource(link),
      partnerId: link.partnerId,
      orgId: link.orgId,
      actor: { type: 'setup_link', id: link.id, name: link.recipientEmail },
      details: { setupLinkId: link.id, visitId },
    });
    return { visitToken, expiresAt: expiresAt.toISOString() };
  }

  /** Beyond the codes of a day none is mailed, and the answer is the same. */
  private async mailCode(tx: Tx, link: SetupLink, to: string): Promise<SetupVisitOpening> {
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    if (await this.setupLinksRepository.keepCode(tx, link, this.keyRing.mac(CODE_PURPOSE, `${link.id} ${code}`))) {
      const { organizationName, partnerName } = await this.setupLinksRepository.names(tx, link);
      await this.mailer.post(tx, setupCodeMail({ to, code, tenantName: organizationName ?? partnerName }));
    }
    return { codeRequired: true };
  }

  private async isRight(tx: Tx, link: SetupLink, code: string): Promise<boolean> {
    const mac = await this.setupLinksRepository.tryCode(tx, link);
    return mac !== null && this.keyRing.verifies(CODE_PURPOSE, `${link.id} ${code}`, mac);
  }

  @Every(A_DAY_MS, 'records of old set-up links')
  async sweep(): Promise<void> {
    await this.work.background(asService(SERVICE), (tx) => this.setupLinksRepository.deleteOld(tx));
  }
}
