import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '../api.ts';
import type { DemoContext, DemoSignIn } from './demo.ts';

/** RFC 6238 5.2 */
export const CODE_MS = 30_000;
const MAIL_PATIENCE_MS = 10_000;

const STAFF = [
  { who: 'technician', email: 'tess@northwind.example', name: 'Tess Technician', role: 'Partner Technician' },
  { who: 'partner admin', email: 'pat@northwind.example', name: 'Pat Partner', role: 'Partner Admin' },
  { who: 'auditor', email: 'audrey@northwind.example', name: 'Audrey Auditor', role: 'Partner Viewer' },
] as const;

const CUSTOMER_ADMINISTRATOR = { email: 'ada@acme.example', name: 'Ada Lovelace' };

export async function roleId(admin: Api, axis: 'partner' | 'organization', name: string): Promise<string> {
  const { data } = await admin.must<{ data: { id: string; name: string }[] }>('GET', `/roles?axis=${axis}`);
  const role = data.find((one) => one.name === name);
  if (!role) throw new Error(`there is no role ${name}`);
  return role.id;
}

/** The invitations are read from the mail directory; a product that sends its mails gets no demo staff. */
export async function inviteStaff(context: DemoContext, admin: Api, partnerId: string): Promise<DemoSignIn[]> {
  const { mailDirectory, log } = context;
  if (mailDirectory === undefined) return [];
  const signIns: DemoSignIn[] = [];
  for (const { who, email, name, role } of STAFF) {
    const membership = { scope: 'partner', partnerId, orgAccess: 'all', roleId: await roleId(admin, 'partner', role) };
    await admin.eventually('POST', '/users', { email, name, membership });
    const token = await invitationToken(mailDirectory, email);
    signIns.push({ who, email, ...(await accepted(context, token)), url: `${context.publicUrl}/login` });
  }
  log('a technician, a partner administrator and an auditor are ready');
  return signIns;
}

/** Confirms the authenticator with the code of the half minute before, so that the present one stays free. */
async function accepted({ gatewayUrl }: DemoContext, token: string): Promise<{ password: string; totpSecret: string }> {
  const password = randomBytes(12).toString('base64url');
  const product = new Api(gatewayUrl);
  const { accessToken } = await product.must<{ accessToken: string }>('POST', '/auth/accept-invite', {
    token,
    password,
  });
  const person = product.as(accessToken);
  const { secret } = await person.must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
  const code = await Api.codeFor(secret, Date.now() - CODE_MS);
  await person.must('POST', '/auth/mfa/totp/confirm', { code });
  return { password, totpSecret: secret };
}

/** A customer's administrator, who never gets a password: the identity provider signs her in. */
export async function inviteCustomerAdministrator(
  context: DemoContext,
  admin: Api,
  orgId: string,
): Promise<DemoSignIn> {
  const membership = {
    scope: 'organization',
    orgId,
    roleId: await roleId(admin, 'organization', 'Organization Admin'),
  };
  await admin.eventually('POST', '/users', { ...CUSTOMER_ADMINISTRATOR, membership });
  return {
    who: 'customer admin',
    email: CUSTOMER_ADMINISTRATOR.email,
    url: `${context.publicUrl}/api/v1/sso/login/${orgId}?redirect=/`,
    note: 'through the identity provider, any password',
  };
}

/** Mails of earlier releases are quoted-printable. */
const plainMail = (mail: string): string =>
  /^content-transfer-encoding: quoted-printable/im.test(mail)
    ? mail.replace(/=\r?\n/g, '').replace(/=3D/gi, '=')
    : mail;

async function invitationToken(directory: string, email: string): Promise<string> {
  for (const deadline = Date.now() + MAIL_PATIENCE_MS; Date.now() < deadline; await pause(100)) {
    const names = await readdir(directory).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.eml'))) {
      const mail = plainMail(await readFile(join(directory, name), 'utf8'));
      const token = mail.includes(email) && /accept-invite\?token=([\w.~-]+)/.exec(mail)?.[1];
      if (token) return token;
    }
  }
  throw new Error(`no invitation arrived in ${directory}`);
}
