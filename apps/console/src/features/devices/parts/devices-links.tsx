import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useOrg } from '../../../ui/use-org.tsx';

/** Devices, and the groups that they are in. */
export function DevicesLinks() {
  const words = useTranslations('devices');
  const org = useOrg();
  const search = org ? { org } : {};
  const activeOptions = { exact: true, includeSearch: false };
  return (
    <nav className="gh-tabs" aria-label={words('devicesParts')}>
      <Link to="/devices" search={search} activeOptions={activeOptions}>
        {words('title')}
      </Link>
      <Link to="/devices/groups" search={search} activeOptions={activeOptions}>
        {words('groupsTitle')}
      </Link>
    </nav>
  );
}
