import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DemoReport, type DemoSignIn, knownReport, REPORT } from '../demo/demo.ts';
import { qrCodeLines, signInLines } from '../demo/sign-in-lines.ts';
import { programOf, REPOSITORY, STACK_DIRECTORY, writeWhole } from '../paths.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { administrator, type Facts, isProduction, portsOf, publicUrl } from '../services/environment.ts';
import { GATEWAY } from '@gatehouse/contracts-core/services';
import { messageOf } from '../stack-error.ts';

const isDemoWanted = ({ user }: Facts): boolean => user['DEMO'] !== 'false' && !isProduction(user);

/** Creates the demo tenant once, in an empty system. A failure is reported and has no other effect. */
export async function demoReport(facts: Facts, log: (line: string) => void): Promise<DemoReport | undefined> {
  if (!isDemoWanted(facts)) return undefined;
  const known = knownReport();
  if (known) return known;
  try {
    const report = await seedDemo({
      gatewayUrl: `http://127.0.0.1:${portsOf(facts, GATEWAY).http}`,
      publicUrl: publicUrl(facts.user, portsOf(facts, GATEWAY).http),
      administrator: administrator(facts),
      identityProviderUrl: facts.identityProvider && `http://${facts.identityProvider}`,
      mailDirectory: facts.user['SMTP_URL'] ? undefined : facts.user['MAIL_DIR'] || join(STACK_DIRECTORY, 'mail'),
      publish: facts.nameServer && ((name, value) => facts.nameServer?.publish(name, value)),
      log,
    });
    if (report === undefined) return undefined;
    const records = facts.nameServer?.records;
    writeWhole(REPORT, `${JSON.stringify({ ...report, records }, null, 2)}\n`);
    return report;
  } catch (error) {
    log(`the demo tenant could not be made: ${messageOf(error)}`);
    return undefined;
  }
}

/** Passwords that the user gave are not shown. */
function shownAdministrator(facts: Facts): DemoSignIn {
  const { email, password, totpSecret } = administrator(facts);
  const who = 'administrator';
  return isProduction(facts.user) || facts.user['BOOTSTRAP_ADMIN_PASSWORD']
    ? { who, email }
    : { who, email, password, totpSecret };
}

async function demoLines({ signIns, tryNext }: DemoReport): Promise<string[]> {
  const people = (await Promise.all(signIns.map(signInLines))).flat();
  return [
    '',
    'Demo sign-ins (a code works once, for half a minute)',
    ...people,
    '',
    'Authenticator codes, to scan',
    ...qrCodeLines(signIns, process.stdout.columns),
    'Try next',
    ...tryNext.map((line) => `  ${line}`),
  ];
}

/** Whether the gateway serves the console: a bundle has it beside its program, a checkout where it is built. */
function hasConsole(): boolean {
  const places = [join(dirname(programOf(GATEWAY.name)), 'console'), join(REPOSITORY, 'apps/console/dist')];
  return places.some((place) => existsSync(join(place, 'index.html')));
}

/** The message that is shown when the product is ready. */
export async function welcome(facts: Facts, report: DemoReport | undefined): Promise<string> {
  const url = publicUrl(facts.user, portsOf(facts, GATEWAY).http);
  const lines = [
    '',
    `Gatehouse is ready after ${process.uptime().toFixed(1)} s`,
    `  ${(hasConsole() ? 'console' : 'address').padEnd(19)} ${url}`,
    `  API                 ${url}/api/v1  (documentation: ${url}/docs)`,
    ...(await signInLines(shownAdministrator(facts))),
    ...(facts.identityProvider ? [`  identity provider   http://${facts.identityProvider}`] : []),
    ...(report ? await demoLines(report) : []),
    '',
    '  Ctrl-C stops everything and keeps the data in .stack/; logs are in .stack/logs/.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}
