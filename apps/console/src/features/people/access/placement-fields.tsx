import { Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { Choice } from '../../../ui/forms/inputs.tsx';
import { useRoles } from '../queries.ts';
import { PlaceList } from './place-list.tsx';
import { fits, levelsOf, moveTo, type OrgAccess, type Placement } from './placement.ts';
import { RightsInWords } from './rights-in-words.tsx';
import { lacking } from './rights.ts';

interface FieldsProps {
  readonly placement: Placement;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (placement: Placement) => void;
}

interface PlacementFieldsProps extends FieldsProps {
  /** The tenant stays: a person with several memberships keeps each where it is. */
  readonly fixed?: boolean;
}

/** The roles of the level. Those that hold more than the caller are shown, and say so. */
function RoleChoice({ placement, errors, onChange }: FieldsProps) {
  const words = useTranslations('people.access');
  const { permissions } = useMe();
  const roles = (useRoles().data ?? []).filter((role) => fits(role, placement));
  const data = roles.map((role) => {
    const isOut = lacking(permissions, role.permissions).length > 0;
    return { value: role.id, label: isOut ? words('beyond', { name: role.name }) : role.name, disabled: isOut };
  });
  const chosen = roles.find(({ id }) => id === placement.roleId);
  return (
    <Stack gap="xs">
      <Choice
        label={words('role')}
        description={words('roleText')}
        required
        data={data}
        value={placement.roleId}
        error={errors['membership.roleId']}
        onChange={(roleId) => onChange({ ...placement, roleId })}
      />
      {chosen && <RightsInWords permissions={chosen.permissions} />}
    </Stack>
  );
}

/** Which organisations a member of the partner reaches: not more than the caller. */
function PartnerReach({ placement, errors, onChange }: FieldsProps) {
  const words = useTranslations('people.access');
  const { membership, scope } = useMe();
  const isWhole = scope === 'system' || membership.orgAccess === 'all';
  const choices: readonly OrgAccess[] = ['all', 'selected', 'none'];
  return (
    <Stack gap="xs">
      <Choice
        label={words('reach')}
        data={choices.map((value) => {
          const isOut = value === 'all' && !isWhole;
          const label = words(`orgAccess.${value}`);
          return { value, label: isOut ? words('beyondReach', { name: label }) : label, disabled: isOut };
        })}
        // Beside the field, which a phone would cut off.
        description={words(`orgAccessText.${placement.orgAccess}`)}
        value={placement.orgAccess}
        error={placement.orgAccess === 'selected' ? undefined : errors['membership.orgIds']}
        onChange={(orgAccess) => orgAccess && onChange({ ...placement, orgAccess })}
      />
      {placement.orgAccess === 'selected' && (
        <PlaceList
          kind="organizations"
          label={words('organizations')}
          many
          value={placement.orgIds}
          error={errors['membership.orgIds']}
          onChange={(orgIds) => onChange({ ...placement, orgIds })}
        />
      )}
    </Stack>
  );
}

/** The whole organisation or some of its sites: not more than the caller. */
function SiteReach({ placement, errors, onChange }: FieldsProps) {
  const words = useTranslations('people.access');
  const { membership } = useMe();
  const isConfined = membership.siteIds.length > 0;
  const canRead = useCan()('GET /orgs/sites');
  if (!canRead && !placement.confined) return null;
  const whole = words('sites.whole');
  return (
    <Stack gap="xs">
      <Choice
        label={words('reach')}
        data={[
          { value: 'whole', label: isConfined ? words('beyondReach', { name: whole }) : whole, disabled: isConfined },
          { value: 'some', label: words('sites.some') },
        ]}
        value={placement.confined ? 'some' : 'whole'}
        onChange={(value) => onChange({ ...placement, confined: value === 'some' })}
      />
      {placement.confined && (
        <PlaceList
          key={placement.orgId}
          kind="sites"
          label={words('sites.label')}
          orgId={placement.orgId}
          many
          value={placement.siteIds}
          error={errors['membership.siteIds']}
          onChange={(siteIds) => onChange({ ...placement, siteIds })}
        />
      )}
    </Stack>
  );
}

/** The level, and the organisation below it. */
function TenantChoice({ placement, errors, onChange }: FieldsProps) {
  const words = useTranslations('people.access');
  const me = useMe();
  const levels = [...new Set([...levelsOf(me), placement.level])];
  if (levels.length === 1) return null;
  return (
    <>
      <Choice
        label={words('level')}
        data={levels.map((value) => ({ value, label: words(`levels.${value}`) }))}
        value={placement.level}
        onChange={(level) => level && onChange(moveTo(placement, { level }))}
      />
      {placement.level === 'organization' && (
        <PlaceList
          kind="organizations"
          label={words('organization')}
          value={placement.orgId === null ? [] : [placement.orgId]}
          error={errors['membership.orgId']}
          onChange={([orgId = null]) => onChange(moveTo(placement, { orgId }))}
        />
      )}
    </>
  );
}

/** Where a person belongs, how far they reach and with which role. */
export function PlacementFields({ fixed = false, ...fields }: PlacementFieldsProps) {
  const { level, orgId } = fields.placement;
  return (
    <Stack>
      {!fixed && <TenantChoice {...fields} />}
      {level === 'partner' && <PartnerReach {...fields} />}
      {level === 'organization' && orgId !== null && <SiteReach {...fields} />}
      <RoleChoice {...fields} />
    </Stack>
  );
}
