import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { type ElevationRequest, requestQuery } from '../../../ui/elevation/request.ts';
import { Page } from '../../../ui/page.tsx';
import { WithOrganization } from '../../../ui/place/organization-screen.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { bodyOf, type Draft, draftOf, EMPTY_DRAFT, isComplete, onlyVerdictDiffers, type Verdict } from '../model.ts';
import { ProposalChoice } from '../parts/proposal-choice.tsx';
import { RuleForm } from '../parts/rule-form.tsx';
import { TryButton } from '../replays/try-button.tsx';
import { withAdded } from '../replays/candidate.ts';
import { createPlaced, type Proposal, proposalsQuery, useRuleAct } from '../queries.ts';

const route = getRouteApi('/orgs/$orgId/rules/new');

interface EditorProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly before?: ReactNode;
  /** Whether the draft was changed by hand. */
  readonly isEdited: boolean;
}

function Editor({ draft, onChange, before, isEdited }: EditorProps) {
  const words = useTranslations('rules');
  const { orgId } = route.useParams();
  const { from } = route.useSearch();
  const navigate = useNavigate();
  const act = useRuleAct(createPlaced);
  const back = () => void navigate({ to: '/rules', search: { org: orgId } });
  const saved = useUnsaved(isEdited);
  const onSuccess = () => {
    saved();
    notifyDone(words('saved', { mode: draft.mode }));
    back();
  };
  const save = () =>
    act.mutate({ ...bodyOf(draft), after: draft.after, orgId, ...(from && { fromRequestId: from }) }, { onSuccess });
  return (
    <RuleForm
      {...{ orgId, draft, before, onChange }}
      saving={act.isPending}
      error={act.error}
      onSave={save}
      onCancel={back}
      acts={
        <TryButton
          orgId={orgId}
          disabled={!isComplete(draft)}
          change={(candidate) => withAdded(candidate, bodyOf(draft))}
        />
      }
    />
  );
}

interface FromProposalsProps {
  readonly request: ElevationRequest;
  readonly proposals: readonly Proposal[];
  /** Set while the proposals for this verdict are on their way. */
  readonly awaited: Verdict | undefined;
  readonly asked: Verdict | undefined;
  readonly onAsk: (verdict: Verdict) => void;
}

/** Each choice of width or verdict takes the proposal for it, until the draft is changed by hand. */
function FromProposals({ request, proposals, awaited, asked, onAsk }: FromProposalsProps) {
  const [level, setLevel] = useState<Proposal['level']>();
  const [edited, setEdited] = useState<Draft | null>(null);
  const fitting = proposals.filter(({ rule }) => rule !== null);
  const chosen = fitting.find((proposal) => proposal.level === level) ?? fitting[0];
  const rule = chosen?.rule ?? null;
  const proposed = useMemo(() => {
    const draft = rule ? draftOf(rule) : EMPTY_DRAFT;
    return awaited ? { ...draft, verdict: awaited } : draft;
  }, [rule, awaited]);
  const draft = edited ?? proposed;
  const change = (next: Draft) =>
    edited === null && onlyVerdictDiffers(draft, next) && next.verdict !== asked
      ? onAsk(next.verdict)
      : setEdited(next);
  const choose = (next: Proposal['level']) => {
    setLevel(next);
    setEdited(null);
  };
  const choice = <ProposalChoice {...{ request, proposals, chosen }} onChoose={choose} />;
  return <Editor draft={draft} onChange={change} before={choice} isEdited={edited !== null} />;
}

/** A request without a decision is granted by its rule: one that asks a person would change nothing. */
const verdictFor = ({ status }: Pick<ElevationRequest, 'status'>): Verdict | undefined =>
  status === 'pending' || status === 'expired' ? 'auto_approve' : undefined;

function FromRequest({ request }: { readonly request: ElevationRequest }) {
  const { id: requestId } = request;
  const [verdict, setVerdict] = useState<Verdict | undefined>(verdictFor(request));
  const query = useQuery(proposalsQuery(requestId, verdict));
  const awaited = query.isPlaceholderData ? verdict : undefined;
  return (
    <QueryView query={query}>
      {(proposals) => <FromProposals {...{ request, proposals, awaited }} asked={verdict} onAsk={setVerdict} />}
    </QueryView>
  );
}

function FromRequestOf({ id }: { readonly id: string }) {
  return <QueryView query={useQuery(requestQuery(id))}>{(request) => <FromRequest request={request} />}</QueryView>;
}

function FromNothing() {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  return <Editor draft={draft} onChange={setDraft} isEdited={draft !== EMPTY_DRAFT} />;
}

/** A new rule, empty or made from a request. */
export function NewRule() {
  const words = useTranslations('rules');
  const { orgId } = route.useParams();
  const { from } = route.useSearch();
  return (
    <WithOrganization orgId={orgId}>
      <Page title={words('newTitle')}>{from ? <FromRequestOf id={from} /> : <FromNothing />}</Page>
    </WithOrganization>
  );
}
