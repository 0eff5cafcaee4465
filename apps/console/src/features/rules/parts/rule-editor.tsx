import { Fieldset, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { codeOf } from '../../../api/problem.ts';
import type { Choice } from '../../../ui/conflicts/version-conflict.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { Page } from '../../../ui/page.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { changesBetween, changesOf, type Draft, draftOf, isComplete, type ListedRule } from '../model.ts';
import { RuleFields } from './rule-fields.tsx';
import { RuleForm } from './rule-form.tsx';
import { withPatch } from '../replays/candidate.ts';
import { updateRule, useRuleAct } from '../queries.ts';

/** Loaded with the first conflict. */
const RuleConflict = lazyPart(async () => ({ default: (await import('./rule-conflict.tsx')).RuleConflict }));
const TryButton = lazyPart(async () => ({ default: (await import('../replays/try-button.tsx')).TryButton }));
const OptOuts = lazyPart(async () => ({ default: (await import('../partner/opt-outs.tsx')).OptOuts }));
const ShadowReport = lazyPart(async () => ({ default: (await import('./shadow-report.tsx')).ShadowReport }));

/** Begins with the rule as it was read first: a later version does not take away what was typed. */
function useEditing(stored: ListedRule) {
  const words = useTranslations('rules');
  const [rule, setRule] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const { id, orgId } = rule;
  const navigate = useNavigate();
  const act = useRuleAct(updateRule);
  const back = () =>
    void navigate(orgId === null ? { to: '/rules/partner' } : { to: '/rules', search: { org: orgId } });
  const saved = useUnsaved(Object.keys(changesOf(rule, draft)).length > 0);
  const saveOver = (base: ListedRule, next: Draft) => {
    const changes = changesOf(base, next);
    if (Object.keys(changes).length === 0) return back();
    const onSuccess = () => {
      saved();
      notifyDone(words('saved', { mode: next.mode }));
      back();
    };
    return act.mutate({ id, orgId, version: base.version, ...changes }, { onSuccess });
  };
  // With what the other person changed, the rule has another effect, which has to be on screen before it is saved. That
  // of a rule of the partner is not shown.
  const settle = (choice: Choice, latest: ListedRule, merged: Draft) => {
    const isShown = orgId === null || Object.keys(changesBetween(draft, merged)).length === 0;
    setRule(latest);
    setDraft(choice === 'theirs' ? draftOf(latest) : merged);
    if (choice !== 'mine') return;
    if (isShown) saveOver(latest, merged);
    else notifyDone(words('merged'));
  };
  return { rule, draft, setDraft, act, back, saveOver, settle };
}

interface RuleProps {
  readonly rule: ListedRule;
}

interface SidePanelProps extends RuleProps {
  readonly draft: Draft;
  readonly onLive: () => void;
}

/** Beside the fields: what a rule that is only watched would have done, or who has left a rule of the partner. */
function SidePanel({ rule, draft, onLive }: SidePanelProps) {
  if (rule.orgId === null) return <OptOuts rule={rule} changes={Object.keys(changesOf(rule, draft))} />;
  return rule.mode === 'shadow' && <ShadowReport rule={{ ...rule, orgId: rule.orgId }} onLive={onLive} />;
}

function useTitle({ orgId, name }: ListedRule): string {
  const words = useTranslations('rules');
  return words(orgId === null ? 'partnerTitle' : 'editTitle', { name });
}

/** Changes a rule that exists. */
export function RuleEditor({ rule: stored }: RuleProps) {
  const { rule, draft, setDraft, act, back, saveOver, settle } = useEditing(stored);
  const { id, orgId } = rule;
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  return (
    <Page title={useTitle(rule)}>
      <RuleForm
        {...{ orgId, draft }}
        ruleId={id}
        saving={act.isPending}
        error={isConflict ? null : act.error}
        onChange={setDraft}
        onSave={() => saveOver(rule, draft)}
        onCancel={back}
        acts={
          orgId !== null && (
            <Suspense fallback={null}>
              <TryButton
                orgId={orgId}
                disabled={!isComplete(draft)}
                change={(candidate) => withPatch(candidate, { ...rule, orgId }, changesOf(rule, draft))}
              />
            </Suspense>
          )
        }
        beside={
          <Suspense fallback={null}>
            <SidePanel rule={rule} draft={draft} onLive={back} />
          </Suspense>
        }
      />
      {isConflict && (
        <Suspense fallback={null}>
          <RuleConflict {...{ rule, draft, act }} onChoose={settle} />
        </Suspense>
      )}
    </Page>
  );
}

/** A rule for those who may not change it. */
export function RuleReader({ rule }: RuleProps) {
  const words = useTranslations('rules');
  const may = useCan()('PATCH /pam/rules/{id}') ? 'yes' : 'no';
  const fields = (
    <Fieldset variant="unstyled" disabled>
      <Text className="gh-hint" mb="sm">
        {words('readOnly', { may })}
      </Text>
      <RuleFields draft={draftOf(rule)} orgId={rule.orgId} errors={{}} isNew={false} onChange={() => undefined} />
    </Fieldset>
  );
  return (
    <Page title={useTitle(rule)}>
      {rule.orgId === null ? (
        <div className="gh-columns">
          {fields}
          <Suspense fallback={null}>
            <OptOuts rule={rule} />
          </Suspense>
        </div>
      ) : (
        fields
      )}
    </Page>
  );
}
