import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../api/me.ts';
import { Tabs } from './page.tsx';
import { useOrg } from './use-org.tsx';

/** The settings of the partner, and those of an organisation. */
export function SettingsTabs() {
  const words = useTranslations('ui.settings');
  const can = useCan();
  const org = useOrg();
  const search = org ? { org } : {};
  const activeOptions = { includeSearch: false };
  return (
    <Tabs label={words('title')}>
      {can('GET /orgs/partners/me') && (
        <Link to="/settings/partner" search={search as never} activeOptions={activeOptions}>
          {words('partner')}
        </Link>
      )}
      {can('PUT /partners/me/login-branding') && (
        <Link to="/settings/branding" search={search as never} activeOptions={activeOptions}>
          {words('branding')}
        </Link>
      )}
      {can('GET /pam/config') && (
        <Link to="/settings/defaults" search={search} activeOptions={activeOptions}>
          {words('defaults')}
        </Link>
      )}
    </Tabs>
  );
}
