import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { AreaTabs } from '../../../ui/area-tabs.tsx';

/** People, open invitations, roles and keys. */
export function PeopleTabs() {
  const words = useTranslations('people');
  const mayRead = useCan()('GET /users');
  return (
    <AreaTabs
      label={words('parts')}
      tabs={[
        ['/people', words('title'), mayRead],
        ['/people/invitations', words('invitations'), mayRead],
        ['/people/roles', words('rolesTitle'), mayRead],
        ['/people/api-keys', words('keysTitle')],
      ]}
    />
  );
}
