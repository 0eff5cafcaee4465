import type { Prompt } from '@gatehouse/agent-sim';
import { createHash } from 'node:crypto';

interface Program {
  readonly path: string;
  readonly signer: string;
  readonly parent?: string;
  readonly reason?: string;
  /** How often it is started, compared with the others. */
  readonly weight: number;
}

const DOWNLOADS = 'C:\\Users\\Public\\Downloads';

/** What people of an office start: some is known to the demo's rules, some is signed, some is not. */
const PROGRAMS: readonly Program[] = [
  { path: 'C:\\Program Files\\7-Zip\\7zFM.exe', signer: 'Igor Pavlov', weight: 3 },
  { path: 'C:\\Windows\\System32\\mmc.exe', signer: 'Microsoft Windows', weight: 3 },
  {
    path: `${DOWNLOADS}\\printer-setup.exe`,
    signer: 'Contoso Devices Ltd',
    reason: 'New printer, room 204',
    weight: 3,
  },
  { path: `${DOWNLOADS}\\ZoomInstallerFull.msi`, signer: 'Zoom Video Communications, Inc.', weight: 2 },
  { path: `${DOWNLOADS}\\vpn-client-5.2.exe`, signer: 'Fabrikam Networks GmbH', reason: 'Home office', weight: 2 },
  { path: `${DOWNLOADS}\\free-pdf-converter.exe`, signer: '', weight: 2 },
  {
    path: 'C:\\CNC\\Tools\\calibrate.exe',
    signer: '',
    parent: 'C:\\CNC\\panel.exe',
    reason: 'Weekly check',
    weight: 2,
  },
  { path: 'C:\\Temp\\invoice_2026.pdf.exe', signer: '', parent: 'C:\\Program Files\\Mail\\mail.exe', weight: 1 },
  { path: `${DOWNLOADS}\\python-3.13.1-amd64.exe`, signer: 'Python Software Foundation', weight: 1 },
];

const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  acme: ['ACME\\ada', 'ACME\\grace', 'ACME\\edsger', 'ACME\\barbara'],
  globex: ['GLOBEX\\hank', 'GLOBEX\\mona', 'GLOBEX\\otto'],
};

function pick<T>(items: readonly T[], random: () => number): T {
  const found = items[Math.floor(random() * items.length)];
  if (found === undefined) throw new Error('there is nothing to choose from');
  return found;
}

const BY_WEIGHT = PROGRAMS.flatMap((program) => Array.from({ length: program.weight }, () => program));

/** A prompt as it could appear now on a device of the organisation. */
export function livePrompt(slug: string, random: () => number = Math.random): Prompt {
  const { path, signer, parent, reason } = pick(BY_WEIGHT, random);
  return {
    subject_username: pick(PEOPLE[slug] ?? ['WORKGROUP\\user'], random),
    target_executable_path: path,
    target_executable_hash: createHash('sha256').update(path).digest('hex'),
    target_executable_signer: signer,
    pid: 1000 + Math.floor(random() * 60_000),
    parent_image: parent ?? 'C:\\Windows\\explorer.exe',
    command_line: path.endsWith('.msi') ? `msiexec /i "${path}"` : `"${path}"`,
    observed_at: new Date().toISOString(),
    ...(reason && { reason }),
  };
}
