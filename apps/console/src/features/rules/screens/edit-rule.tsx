import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useCan } from '../../../api/me.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { RuleEditor, RuleReader } from '../parts/rule-editor.tsx';
import { ruleQuery, useMayChangePartnerRules } from '../queries.ts';

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

const partnerRoute = getRouteApi('/rules/partner/$ruleId');

/** A rule of the partner, which organisations may read too. */
export function PartnerRule() {
  const { ruleId } = partnerRoute.useParams();
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
