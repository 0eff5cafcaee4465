import { createHash } from 'node:crypto';

/** An intercepted consent prompt, as an agent reports it (PAM-16). */
export interface Prompt {
  subject_username: string;
  target_executable_path: string;
  target_executable_hash: string;
  target_executable_signer: string;
  pid: number;
  parent_image: string;
  command_line: string;
  observed_at: string;
  reason?: string;
  ad_groups?: string[];
}

const PROGRAMS = [
  { path: 'C:\\Program Files\\7-Zip\\7zFM.exe', signer: 'Igor Pavlov' },
  { path: 'C:\\Users\\Public\\Downloads\\printer-setup.exe', signer: 'Contoso Devices Ltd' },
  { path: 'C:\\Windows\\System32\\mmc.exe', signer: 'Microsoft Windows' },
  { path: 'C:\\Tools\\unsigned-tool.exe', signer: '' },
] as const;
const PEOPLE = ['ACME\\ada', 'ACME\\grace', 'ACME\\edsger'];

/** The n-th of an endless, varied series of prompts. */
export function promptNumber(n: number, changes: Partial<Prompt> = {}): Prompt {
  const { path, signer } = PROGRAMS[n % PROGRAMS.length] ?? PROGRAMS[0];
  return {
    subject_username: PEOPLE[n % PEOPLE.length] ?? '',
    target_executable_path: path,
    target_executable_hash: createHash('sha256').update(path).digest('hex'),
    target_executable_signer: signer,
    pid: 1000 + (n % 60_000),
    parent_image: 'C:\\Windows\\explorer.exe',
    command_line: `"${path}" /run ${n}`,
    observed_at: new Date().toISOString(),
    ...changes,
  };
}
