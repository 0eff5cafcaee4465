import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useCan } from '../../../api/me.ts';
import { WithOrganization } from '../../../ui/place/organization-screen.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { RuleEditor, RuleReader } from '../parts/rule-editor.tsx';
import { ruleQuery, useMayChangePartnerRules } from '../queries.ts';

const route = getRouteApi('/orgs/$orgId/rules/$ruleId');

/** A rule that exists; a rule of the partner or of another organisation has its own address. */
function OwnRule() {
  const { orgId, ruleId } = route.useParams();
  const mayChange = useCan()('PATCH /pam/rules/{id}');
  return (
    <QueryView query={useQuery(ruleQuery(ruleId))}>
      {(rule) => {
        if (rule.orgId === null) return <Navigate to="/rules/partner/$ruleId" params={{ ruleId }} replace />;
        if (rule.orgId !== orgId)
          return <Navigate to="/orgs/$orgId/rules/$ruleId" params={{ orgId: rule.orgId, ruleId }} replace />;
        return mayChange ? <RuleEditor key={rule.id} rule={rule} /> : <RuleReader rule={rule} />;
      }}
    </QueryView>
  );
}

export function EditRule() {
  return (
    <WithOrganization orgId={route.useParams().orgId}>
      <OwnRule />
    </WithOrganization>
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
