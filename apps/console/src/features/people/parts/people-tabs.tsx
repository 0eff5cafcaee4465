import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { useOrg } from '../../../ui/use-org.tsx';
import { Tabs } from '../../../ui/page.tsx';

/** People, open invitations, roles and keys. */
export function PeopleTabs() {
  const words = useTranslations('people');
  const can = useCan();
  const org = useOrg();
  const exact = { exact: true, includeSearch: false };
  return (
    <Tabs label={words('parts')}>
      {can('GET /users') && (
        <>
          <Link to="/people" search={{ org }} activeOptions={exact}>
            {words('title')}
          </Link>
          <Link to="/people/invitations" search={{ org }} activeOptions={exact}>
            {words('invitations')}
          </Link>
          <Link to="/people/roles" search={{ org }} activeOptions={exact}>
            {words('rolesTitle')}
          </Link>
        </>
      )}
      <Link to="/people/api-keys" search={{ org }} activeOptions={exact}>
        {words('keysTitle')}
      </Link>
    </Tabs>
  );
}
