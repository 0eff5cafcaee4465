import { Badge, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { type Organization, organizationQuery } from '../../../ui/place/queries.ts';
import { PlaceTree } from '../../../ui/place/tree/place-tree.tsx';
import { LEVELS, type TreePlace } from '../../../ui/place/tree/queries.ts';
import { type Position, reachingPoliciesQuery } from '../../../ui/policies/queries.ts';
import { PolicySteps } from '../../../ui/policies/policy-steps.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { PoliciesPage } from '../parts/policies-page.tsx';
import { devicePlaceQuery } from '../queries.ts';

const route = getRouteApi('/rules/software-policies/places');

/** The place of the address; the organisation by default. */
function useChosen({ id, name }: Organization): TreePlace {
  const { level, place } = route.useSearch();
  if (!level || !place) return { level: 'organization', id, name, orgId: id };
  return { level, id: place, name: '', orgId: id };
}

/** Where the chosen place stands: a device brings its site and its groups. */
function usePosition({ level, id }: TreePlace, orgId: string): Position {
  const { partnerId } = useMe();
  const device = useQuery({ ...devicePlaceQuery(id), enabled: level === 'device' }).data;
  return {
    partnerId,
    orgId: level === 'partner' ? undefined : orgId,
    siteId: level === 'site' ? id : device?.siteId,
    groupIds: level === 'group' ? [id] : (device?.groupIds ?? []),
    deviceId: level === 'device' ? id : undefined,
  };
}

interface ReachingProps {
  readonly place: TreePlace;
  readonly position: Position;
  readonly orgId: string;
}

function Reaching({ place, position, orgId }: ReachingProps) {
  const words = useTranslations('softwarePolicies');
  return (
    <Stack className="gh-card" aria-live="polite">
      <Title order={2}>
        {words('reaching')} <PlaceName level={place.level} id={place.id} />
      </Title>
      <PolicySteps position={position} orgId={orgId} />
    </Stack>
  );
}

function Places({ organization }: { readonly organization: Organization }) {
  const words = useTranslations('softwarePolicies');
  const { id, name } = organization;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const place = useChosen(organization);
  const position = usePosition(place, id);
  const policies = useQuery(reachingPoliciesQuery(id)).data?.policies ?? [];
  const note = (one: TreePlace) => {
    const count = policies.filter(({ target }) => target.level === one.level && target.id === one.id).length;
    return count > 0 && <Badge>{words('here', { count })}</Badge>;
  };
  return (
    <div className="gh-columns">
      <Stack className="gh-card">
        <Text className="gh-hint">{words('byPlaceText')}</Text>
        <PlaceTree
          label={words('place')}
          levels={LEVELS}
          organization={{ level: 'organization', id, name, orgId: id }}
          value={place}
          site={position.siteId}
          note={note}
          onChange={(one) => void navigate({ search: { ...search, level: one.level, place: one.id }, replace: true })}
        />
      </Stack>
      <Reaching {...{ place, position }} orgId={id} />
    </div>
  );
}

function OrganizationPlaces({ orgId }: { readonly orgId: string }) {
  const { scope } = useMe();
  return (
    <QueryView query={useQuery(organizationQuery(orgId, scope))}>
      {(organization) => <Places organization={organization} />}
    </QueryView>
  );
}

/** The software policies by the place that they are for: partner, organisation, sites, groups, devices. */
export const PolicyPlaces = () => <PoliciesPage>{(orgId) => <OrganizationPlaces orgId={orgId} />}</PoliciesPage>;
