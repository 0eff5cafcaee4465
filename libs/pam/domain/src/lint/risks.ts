import { CRITERION_FIELDS, type CriterionKey } from '@gatehouse/contracts-pam';
import { literalNameOf, PathGlob } from '../matching/path-glob.ts';
import { reachesUserWritable } from '../matching/writable-path.ts';
import type { RuleCriteria, SoftwarePolicy } from '../rules/rule.ts';
import { type Finding, findingOf, type Found, type LintRule } from './finding.ts';

const isSet = (rule: RuleCriteria, key: CriterionKey): boolean => rule[CRITERION_FIELDS[key]] !== null;
/** Whether the rule asks that the criterion holds: a negated one leaves nearly everything open. */
const asks = (rule: RuleCriteria, key: CriterionKey): boolean => isSet(rule, key) && !rule.matchNegate?.includes(key);

/** A negated glob leaves every other folder open, so one that a user can write to as well. */
const canBeSavedAt = (rule: RuleCriteria, glob: string): boolean =>
  !asks(rule, 'pathGlob') || reachesUserWritable(glob);

const WRITABLE_PATH: Found = {
  code: 'user_writable_path',
  detail: 'A standard user can save a file at a path that this lets through.',
  suggestion: 'Ask for the hash, or name a folder that only administrators can write to.',
};

function userWritablePath(rule: LintRule): Found | null {
  const isLenient = rule.verdict === 'auto_approve' || rule.verdict === 'ignore';
  if (!isLenient || asks(rule, 'hash') || rule.matchPathGlob === null) return null;
  if (!canBeSavedAt(rule, rule.matchPathGlob)) return null;
  return WRITABLE_PATH;
}

/** An allowlist grants by any member of a line, so that a hash beside a path narrows nothing. */
const grantsWritablePath = ({ mode, rules }: Pick<SoftwarePolicy, 'mode' | 'rules'>): boolean =>
  mode === 'allowlist' && rules.some(({ pathGlob }) => Boolean(pathGlob) && reachesUserWritable(pathGlob!));

/** What an allowlist lets through that its author may not have meant; the finding names the policy. */
export const risksOfPolicy = (policy: Pick<SoftwarePolicy, 'id' | 'mode' | 'rules'>): Finding[] =>
  grantsWritablePath(policy) ? [findingOf(policy, WRITABLE_PATH)] : [];

/** Criteria that tell one program from another, beside the name of its signer. */
const IDENTIFYING = ['hash', 'pathGlob', 'commandLine'] as const satisfies readonly CriterionKey[];

function nameOnlySigner(rule: LintRule): Found | null {
  const hasSigner = isSet(rule, 'signer') || isSet(rule, 'signerGroup');
  if (rule.verdict !== 'auto_approve' || !hasSigner || IDENTIFYING.some((key) => asks(rule, key))) return null;
  return {
    code: 'name_only_signer',
    detail: 'The name of a signer alone is enough; it stands for every program of that signer, and is no proof.',
    suggestion: 'Ask for the hash, or for the path as well.',
  };
}

const HOMES = [
  'c:/windows/system32/',
  'c:/windows/syswow64/',
  'c:/windows/system32/windowspowershell/v1.0/',
  'c:/program files/powershell/7/',
];
/** Programs that run what their arguments name. */
const INTERPRETERS = new Set([
  'cmd.exe',
  'powershell.exe',
  'powershell_ise.exe',
  'pwsh.exe',
  'wscript.exe',
  'cscript.exe',
  'mshta.exe',
  'rundll32.exe',
  'regsvr32.exe',
  'msiexec.exe',
  'msbuild.exe',
  'installutil.exe',
  'bash.exe',
  'wsl.exe',
  'python.exe',
  'pythonw.exe',
  'perl.exe',
  'ruby.exe',
  'node.exe',
  'java.exe',
  'javaw.exe',
  'mmc.exe',
  'sh',
  'bash',
  'zsh',
  'dash',
  'pwsh',
  'osascript',
  'python3',
]);
const ON_WINDOWS = ['cmd.exe', 'powershell.exe', 'pwsh.exe', 'wscript.exe', 'mshta.exe', 'msiexec.exe'];
const KNOWN_PATHS = HOMES.flatMap((home) => ON_WINDOWS.map((name) => home + name));

function allowsInterpreter(glob: string): boolean {
  const name = literalNameOf(glob);
  if (name !== null) return INTERPRETERS.has(name);
  const compiled = new PathGlob(glob);
  return KNOWN_PATHS.some((path) => compiled.matches(path));
}

function interpreter(rule: LintRule): Found | null {
  if (rule.verdict !== 'auto_approve' || asks(rule, 'commandLine')) return null;
  if (!asks(rule, 'pathGlob') || !allowsInterpreter(rule.matchPathGlob!)) return null;
  return {
    code: 'interpreter',
    detail: 'The rule approves a shell, script host or installer, whatever it is told to run.',
    suggestion: 'Ask for a part of the command line as well.',
  };
}

const NARROWING = ['signer', 'signerGroup', 'hash', 'pathGlob', 'commandLine', 'toolName'] as const;

function broad(rule: LintRule): Found | null {
  if (NARROWING.some((key) => asks(rule, key))) return null;
  return {
    code: 'broad',
    detail: 'No criterion tells which program or tool the rule is about.',
    suggestion: 'Ask for a signer, a hash, a path, a command line or a tool.',
  };
}

/** What a rule lets through that its author may not have meant. */
export const risksOf = (rule: LintRule): Found[] =>
  [userWritablePath, nameOnlySigner, interpreter, broad].flatMap((check) => check(rule) ?? []);
