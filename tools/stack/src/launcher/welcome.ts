import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DemoReport } from '../demo.ts';
import { programOf, REPOSITORY, STACK_DIRECTORY } from '../paths.ts';
import { seedDemo } from '../seed-demo.ts';
import { administrator, type Facts, isProduction, portsOf, publicUrl } from '../services/environment.ts';
import { GATEWAY } from '@gatehouse/contracts-core';
import { messageOf } from '../stack-error.ts';

const REPORT = join(STACK_DIRECTORY, 'demo.json');

const isDemoWanted = ({ user }: Facts): boolean => user['DEMO'] !== 'false' && !isProduction(user);

/** Creates the demo tenant once, in an empty system. A failure is reported and has no other effect. */
export async function demoReport(facts: Facts, log: (line: string) => void): Promise<DemoReport | undefined> {
  if (!isDemoWanted(facts)) return undefined;
  if (existsSync(REPORT)) return JSON.parse(readFileSync(REPORT, 'utf8')) as DemoReport;
  try {
    const report = await seedDemo({
      gatewayUrl: `http://127.0.0.1:${portsOf(facts, GATEWAY).http}`,
      publicUrl: publicUrl(facts.user, portsOf(facts, GATEWAY).http),
      administrator: administrator(facts),
      identityProviderUrl: facts.identityProvider && `http://${facts.identityProvider}`,
      mailDirectory: facts.user['SMTP_URL'] ? undefined : facts.user['MAIL_DIR'] || join(STACK_DIRECTORY, 'mail'),
      log,
    });
    if (report !== undefined) writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
    return report;
  } catch (error) {
    log(`the demo tenant could not be made: ${messageOf(error)}`);
    return undefined;
  }
}

function administratorLines(facts: Facts): string[] {
  const { email, password, totpSecret } = administrator(facts);
  if (isProduction(facts.user) || facts.user['BOOTSTRAP_ADMIN_PASSWORD']) return [`  administrator       ${email}`];
  return [
    `  administrator       ${email}`,
    `    password          ${password}`,
    `    authenticator key ${totpSecret ?? 'none'}`,
  ];
}

function demoLines({ signIns, tryNext }: DemoReport): string[] {
  const people = signIns.map(
    ({ who, email, password, note }) => `  ${who.padEnd(19)} ${[email, password, note].filter(Boolean).join('  ')}`,
  );
  return ['', 'Demo sign-ins', ...people, '', 'Try next', ...tryNext.map((line) => `  ${line}`)];
}

/** Whether the gateway serves the console: a bundle has it beside its program, a checkout where it is built. */
function hasConsole(): boolean {
  const places = [join(dirname(programOf(GATEWAY.name)), 'console'), join(REPOSITORY, 'apps/console/dist')];
  return places.some((place) => existsSync(join(place, 'index.html')));
}

/** The message that is shown when the product is ready. */
export function welcome(facts: Facts, report: DemoReport | undefined): string {
  const url = publicUrl(facts.user, portsOf(facts, GATEWAY).http);
  const lines = [
    '',
    `Gatehouse is ready after ${process.uptime().toFixed(1)} s`,
    `  ${(hasConsole() ? 'console' : 'address').padEnd(19)} ${url}`,
    `  API                 ${url}/api/v1  (documentation: ${url}/docs)`,
    ...administratorLines(facts),
    ...(facts.identityProvider ? [`  identity provider   http://${facts.identityProvider}`] : []),
    ...(report ? demoLines(report) : []),
    '',
    '  Ctrl-C stops everything and keeps the data in .stack/; logs are in .stack/logs/.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}
