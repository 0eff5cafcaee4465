import { IDENTITY_HEADER, InternalIdentitySigner } from '@gatehouse/auth';
import { settingsFrom } from './settings.ts';

/** What an operator may have a service do; each is safe to repeat. */
const COMMANDS: Readonly<Record<string, { service: string; path: string; does: string }>> = {
  'rebuild tenancy': { service: 'tenancy', path: '/api/v1/internal/tenancy/announcements', does: 'states every partner, organisation, site and device again, for the copies that other services keep' },
  'rebuild identity': { service: 'identity', path: '/api/v1/internal/technicians/replay', does: 'states every person\'s reach again' },
  'rotate signing-key': { service: 'identity', path: '/api/v1/internal/signing-keys/rotate', does: 'signs access tokens with the next key from now on; the present one verifies until its tokens have run out' },
};

const usage = ['usage: npm run operate -- <command>', ...Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(20)} ${does}`)].join('\n');

async function perform(name: string): Promise<string> {
  const command = COMMANDS[name];
  if (!command) throw new Error(usage);
  const { urlOf, privateKey } = settingsFrom(process.env);
  const signer = await InternalIdentitySigner.parse(privateKey);
  const token = await signer.tokenFor(command.service, { principal: null, ip: null, service: 'operator' }, 'operator');
  const response = await fetch(`${urlOf(command.service)}${command.path}`, { method: 'POST', headers: { [IDENTITY_HEADER]: token } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${command.service} answered ${response.status}: ${text}`);
  return text;
}

try {
  process.stdout.write(`${await perform(process.argv.slice(2).join(' '))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
