import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { ExplainDecisionDto, ExplanationRecord, FlowType } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { type Explanation, nothingSeen, type Observation, riskTierOf, type ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { PamConfig } from '../pam.config.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { ExplainedPlaces } from './explained-places.ts';
import { type Editor, ExplainedRequestsRepository } from './explained-requests.repository.ts';
import { ExplainedRulebooks } from './explained-rulebooks.ts';
import { explanationView } from './explanation.view.ts';
import { reasonsFor, showsEditors } from './explain-request.ts';

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

function instantOf(at: string | undefined): Date {
  const asked = new Date(at ?? Date.now());
  if (Math.abs(asked.getTime() - Date.now()) > MAX_DAYS * DAY_MS)
    throw invalid('at', `must be at most ${MAX_DAYS} days from now`);
  return asked;
}

const OF_EACH = ['deviceId', 'subjectUsername', 'reason', 'ticket', 'at'];
const OF_TOOL = ['toolName', 'action', 'input'];

/** Refuses what only other kinds of requests have: an explanation without it would be about another request. */
function requireOwnMembers({ flowType, ...members }: ExplainDecisionDto): void {
  const given = Object.entries(members).flatMap(([name, value]) => ((value ?? null) === null ? [] : [name]));
  const own = (name: string): FlowType => (OF_TOOL.includes(name) ? 'ai_tool_action' : 'uac_intercept');
  const foreign = given.find((name) => !OF_EACH.includes(name) && own(name) !== flowType);
  if (foreign) throw invalid(foreign, `is not known of ${flowType}`);
}

const ofPrompt = (draft: ExplainDecisionDto): Partial<Observation> => ({
  username: draft.subjectUsername ?? null,
  path: draft.targetExecutablePath ?? null,
  hash: draft.targetExecutableHash ?? null,
  signer: draft.targetExecutableSigner ?? null,
  publisher: draft.targetExecutablePublisher ?? null,
  parentImage: draft.parentImage ?? null,
  commandLine: draft.commandLine ?? null,
  adGroups: draft.adGroups ?? [],
  reason: draft.reason,
  ticket: draft.ticket,
});

/** What a request of a person or of an AI agent shows to rules; without a name it is the caller's own. */
function ofPerson(caller: UserCaller, draft: ExplainDecisionDto, catalog: ToolCatalog): Partial<Observation> {
  const username = draft.subjectUsername ?? null;
  const own = { username: username ?? caller.email, requesterId: username === null ? caller.userId : null };
  if (draft.flowType !== 'ai_tool_action') return own;
  const toolName = draft.toolName?.trim();
  if (!toolName) throw invalid('toolName', 'is needed for a tool action');
  return { ...own, toolName, riskTier: riskTierOf(catalog, toolName, draft.action?.trim() ?? null) };
}

@Injectable()
export class ExplanationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly places: ExplainedPlaces,
    private readonly rulebooks: ExplainedRulebooks,
    private readonly explainedRequests: ExplainedRequestsRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
    private readonly config: PamConfig,
  ) {}

  /** Explains what would be decided now about a request that was not made. */
  async explainDraft(caller: UserCaller, draft: ExplainDecisionDto): Promise<ExplanationRecord> {
    requireOwnMembers(draft);
    const at = instantOf(draft.at);
    const device = await this.places.device(caller, draft.deviceId);
    const seen = draft.flowType === 'uac_intercept' ? ofPrompt(draft) : ofPerson(caller, draft, this.catalog);
    const { version, rulebook } = await this.rulebooks.current(caller, device);
    const observation = { ...nothingSeen(draft.flowType, device, at), ...seen };
    const holdsGrants = await this.places.isSuspended(caller, device);
    const reasons = rulebook && (await reasonsFor(caller, observation, rulebook, holdsGrants));
    return explanationView(true, {
      basis: 'current',
      rulebookVersion: version,
      currentVersion: version,
      reasons,
      recorded: null,
      editors: await this.editorsOf(caller, reasons),
      notes: reasons ? [] : ['rulebook_unusable'],
      isOpen: true,
      pendingMinutes: this.config.pamPendingTtlMinutes,
    });
  }

  private async editorsOf(caller: UserCaller, reasons: Explanation | null): Promise<Editor[]> {
    const ruleId = reasons?.matched?.ruleId;
    if (!ruleId || !showsEditors(caller, reasons)) return [];
    return this.work.read(caller, (reader) => this.explainedRequests.editors(reader, ruleId, new Date()));
  }
}
