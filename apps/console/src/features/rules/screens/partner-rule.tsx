import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { QueryView } from '../../../ui/state-views.tsx';
import { RuleEditor, RuleReader } from '../parts/rule-editor.tsx';
import { ruleQuery, useMayChangePartnerRules } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/rules/partner/$ruleId');

/** A rule of the partner, which organisations may read too. */
export function PartnerRule() {
  const { ruleId } = route.useParams();
  const mayChange = useMayChangePartnerRules();
  return (
    <QueryView query={useQuery(ruleQuery(ruleId))}>
      {(rule) => {
        const { orgId } = rule;
        if (orgId !== null) return <Navigate to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId }} replace />;
        return mayChange ? <RuleEditor key={rule.id} rule={rule} /> : <RuleReader rule={rule} />;
      }}
    </QueryView>
  );
}
