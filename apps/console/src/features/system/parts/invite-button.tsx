import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { invite, type Partner, type Role, rolesQuery } from '../queries.ts';

const ADMINISTRATOR = 'Partner Admin';

/** The product's own roles of partners, and those that the partner has made. */
const fits = ({ axis, partnerId, orgId }: Role, partner: Partner): boolean =>
  axis === 'partner' && orgId === null && (partnerId === null || partnerId === partner.id);

/** Invites a person to a partner: its first administrator, for instance. */
export function InviteButton({ partner }: { readonly partner: Partner }) {
  const words = useTranslations('system');
  const roles = (useQuery(rolesQuery).data ?? []).filter((role) => fits(role, partner));
  const administrator = roles.find(({ name, system }) => system && name === ADMINISTRATOR);
  const limits = (name: string) => inputLimits('POST /users', name);
  return (
    <FormButton
      key={administrator?.id}
      label={words('invite')}
      title={words('inviteTitle', { name: partner.name })}
      text={words('inviteText')}
      aria-label={words('inviteNamed', { name: partner.name })}
      size="xs"
      variant="default"
      needs="POST /users"
      fields={[
        { name: 'email', label: words('email'), ...limits('email') },
        { name: 'name', label: words('personName'), ...limits('name') },
        {
          name: 'membership.roleId',
          label: words('role'),
          kind: 'choice',
          required: true,
          choices: roles.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
      initial={{ 'membership.roleId': administrator?.id ?? '' }}
      changes={['system', 'people']}
      act={(values) =>
        invite({
          email: String(values['email']).trim(),
          name: String(values['name']),
          membership: {
            scope: 'partner',
            partnerId: partner.id,
            roleId: String(values['membership.roleId']),
            orgAccess: 'all',
          },
        })
      }
      onDone={({ data }) => notifyDone(words('invited', { name: data.name }))}
    />
  );
}
