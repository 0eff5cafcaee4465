import { Fieldset } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { codeOf } from '../../../api/problem.ts';
import type { Choice } from '../../../ui/conflicts/version-conflict.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { later } from '../../../ui/later/later.ts';
import { changesBetween, changesOf, type Draft, draftOf, isComplete, type Rule } from '../model.ts';
import { RuleFields } from '../parts/rule-fields.tsx';
import { RuleForm } from '../parts/rule-form.tsx';
import { withPatch } from '../replays/candidate.ts';
import { ruleQuery, updateRule, useRuleAct } from '../queries.ts';
import '../words.ts';

/** Loaded with the first conflict. */
const RuleConflict = later(async () => ({ default: (await import('../parts/rule-conflict.tsx')).RuleConflict }));
const TryButton = later(async () => ({ default: (await import('../replays/try-button.tsx')).TryButton }));
const ShadowReport = later(async () => ({ default: (await import('../parts/shadow-report.tsx')).ShadowReport }));
const route = getRouteApi('/orgs/$orgId/rules/$ruleId');

/** Begins with the rule as it was read first: a later version does not take away what was typed. */
function useEditing(stored: Rule) {
  const words = useTranslations('rules');
  const [rule, setRule] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const { id, orgId } = rule;
  const navigate = useNavigate();
  const act = useRuleAct(updateRule);
  const back = () => void navigate({ to: '/rules', search: { org: orgId } });
  const saved = useUnsaved(Object.keys(changesOf(rule, draft)).length > 0);
  const saveOver = (base: Rule, next: Draft) => {
    const changes = changesOf(base, next);
    if (Object.keys(changes).length === 0) return back();
    const onSuccess = () => {
      saved();
      notifyDone(words('saved', { mode: next.mode }));
      back();
    };
    return act.mutate({ id, orgId, version: base.version, ...changes }, { onSuccess });
  };
  // With what the other person changed, the rule has another effect, which has to be on screen before it is saved.
  const settle = (choice: Choice, latest: Rule, merged: Draft) => {
    setRule(latest);
    const isShown = Object.keys(changesBetween(draft, merged)).length === 0;
    if (choice === 'mine' && isShown) return saveOver(latest, draft);
    setDraft(choice === 'theirs' ? draftOf(latest) : merged);
    if (choice === 'mine') notifyDone(words('merged'));
  };
  return { rule, draft, setDraft, act, back, saveOver, settle };
}

function Editor({ rule: stored }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  const { rule, draft, setDraft, act, back, saveOver, settle } = useEditing(stored);
  const { id, orgId } = rule;
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  return (
    <Page title={words('editTitle', { name: rule.name })}>
      <RuleForm
        {...{ orgId, draft }}
        ruleId={id}
        saving={act.isPending}
        error={isConflict ? null : act.error}
        onChange={setDraft}
        onSave={() => saveOver(rule, draft)}
        onCancel={back}
        acts={
          <Suspense fallback={null}>
            <TryButton
              orgId={orgId}
              disabled={!isComplete(draft)}
              change={(candidate) => withPatch(candidate, rule, changesOf(rule, draft))}
            />
          </Suspense>
        }
        beside={
          rule.mode === 'shadow' && (
            <Suspense fallback={null}>
              <ShadowReport rule={rule} onLive={back} />
            </Suspense>
          )
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
function Reader({ rule }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  return (
    <Page title={words('editTitle', { name: rule.name })}>
      <Fieldset variant="unstyled" disabled>
        <RuleFields draft={draftOf(rule)} orgId={rule.orgId} errors={{}} isNew={false} onChange={() => undefined} />
      </Fieldset>
    </Page>
  );
}

/** A rule that exists. */
export function EditRule() {
  const { orgId, ruleId } = route.useParams();
  const mayChange = useCan()('PATCH /pam/rules/{id}');
  return (
    <QueryView query={useQuery(ruleQuery(orgId, ruleId))}>
      {(rule) => (mayChange ? <Editor key={rule.id} rule={rule} /> : <Reader rule={rule} />)}
    </QueryView>
  );
}
