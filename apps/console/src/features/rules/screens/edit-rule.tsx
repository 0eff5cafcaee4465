import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../../ui/page.tsx';
import { NotFoundView, QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { changesOf, type Draft, draftOf, type Rule } from '../model.ts';
import { RuleForm } from '../parts/rule-form.tsx';
import { rulesQuery, updateRule, useRuleAct } from '../queries.ts';

const route = getRouteApi('/orgs/$orgId/rules/$ruleId');

function Editor({ rule }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  const { id, orgId } = rule;
  const navigate = useNavigate();
  const act = useRuleAct(updateRule);
  const back = () => void navigate({ to: '/rules', search: { org: orgId } });
  const save = (draft: Draft) => {
    const changes = changesOf(rule, draft);
    if (Object.keys(changes).length === 0) return back();
    const onSuccess = () => {
      notifyDone(words('saved'));
      back();
    };
    return act.mutate({ id, orgId, ...changes }, { onSuccess });
  };
  return (
    <Page title={words('editTitle', { name: rule.name })}>
      <RuleForm
        orgId={orgId}
        ruleId={id}
        initial={draftOf(rule)}
        saving={act.isPending}
        error={act.error}
        onSave={save}
        onCancel={back}
      />
    </Page>
  );
}

/** A rule that exists. */
export function EditRule() {
  const { orgId, ruleId } = route.useParams();
  return (
    <QueryView query={useQuery(rulesQuery(orgId))}>
      {(rules) => {
        const rule = rules.find(({ id }) => id === ruleId);
        return rule ? <Editor key={`${rule.id} ${rule.version}`} rule={rule} /> : <NotFoundView />;
      }}
    </QueryView>
  );
}
