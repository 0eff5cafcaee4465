import type { FlowType, RequestFlag } from '@gatehouse/contracts-pam';
import { nothingSeen, type Observation } from '../matching/observation.ts';
import { isSuspicious } from '../matching/suspicion.ts';
import { hidesCharacters, presentOrNull } from '@gatehouse/windows-paths';
import { isUserWritable } from '../matching/writable-path.ts';

const HIGH_TIER = 3;
const NO_PLACE = { partnerId: '', orgId: '', siteId: '', groupIds: [], deviceId: '' };

/** The members of a stored request that its flags are computed from. */
export interface FlaggedRequest {
  readonly flowType: FlowType;
  readonly requestedAt: Date;
  /** By which its own shares are told from those of others. */
  readonly deviceHostname: string | null;
  readonly subjectUsername: string | null;
  readonly targetExecutablePath: string | null;
  readonly targetExecutableSigner: string | null;
  readonly targetExecutablePublisher: string | null;
  readonly parentImage: string | null;
  readonly commandLine: string | null;
  readonly toolName: string | null;
  readonly riskTier: number | null;
  readonly reason: string | null;
  /** No request for the same file was made in the organisation during the 90 days before. */
  readonly firstSeen: boolean;
}

const observationOf = (request: FlaggedRequest): Observation => ({
  ...nothingSeen(request.flowType, { ...NO_PLACE, hostname: request.deviceHostname }, request.requestedAt),
  username: request.subjectUsername,
  path: request.targetExecutablePath,
  signer: request.targetExecutableSigner,
  publisher: request.targetExecutablePublisher,
  parentImage: request.parentImage,
  commandLine: request.commandLine,
  toolName: request.toolName,
});

/** What a technician should notice about a request (PAM-90). */
export function flagsOf(request: FlaggedRequest): RequestFlag[] {
  const { targetExecutablePath: path, targetExecutableSigner: signer } = request;
  const raised: Readonly<Record<RequestFlag, boolean>> = {
    unsigned: path !== null && presentOrNull(signer) === null,
    user_writable_path: path !== null && isUserWritable(path),
    first_seen: request.firstSeen,
    suspicious_text: isSuspicious(observationOf(request)) || hidesCharacters(request.reason),
    high_tier: (request.riskTier ?? 0) >= HIGH_TIER,
  };
  return (Object.keys(raised) as RequestFlag[]).filter((flag) => raised[flag]);
}
