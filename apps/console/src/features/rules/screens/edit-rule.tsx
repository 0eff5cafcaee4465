import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useCan } from '../../../api/me.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { RuleEditor, RuleReader } from '../parts/rule-editor.tsx';
import { ruleQuery } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/orgs/$orgId/rules/$ruleId');

/** A rule that exists; who follows a link to a rule of the partner is led to its own page. */
export function EditRule() {
  const { ruleId } = route.useParams();
  const mayChange = useCan()('PATCH /pam/rules/{id}');
  return (
    <QueryView query={useQuery(ruleQuery(ruleId))}>
      {(rule) => {
        if (rule.orgId === null) return <Navigate to="/rules/partner/$ruleId" params={{ ruleId }} replace />;
        return mayChange ? <RuleEditor key={rule.id} rule={rule} /> : <RuleReader rule={rule} />;
      }}
    </QueryView>
  );
}
