import { Link, useRouterState } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Tabs } from '../../../ui/page.tsx';

/** The screens about signing in; the chosen organisation stays. */
export function SignOnLinks() {
  const words = useTranslations('signOn');
  const can = useCan();
  const { org } = useRouterState({ select: ({ location }) => location.search as { readonly org?: string } });
  const search = org ? { org } : {};
  return (
    <Tabs label={words('related')}>
      <Link to="/sign-on" search={search} activeOptions={{ exact: true, includeSearch: false }}>
        {words('providers')}
      </Link>
      {can('GET /sso/domains') && (
        <Link to="/sign-on/domains" search={search} activeOptions={{ includeSearch: false }}>
          {words('domains')}
        </Link>
      )}
      {can('GET /sso/setup-links') && (
        <Link to="/sign-on/set-up" search={search} activeOptions={{ includeSearch: false }}>
          {words('setupLinks.title')}
        </Link>
      )}
      {can('GET /sso/attempts') && (
        <Link to="/sign-on/attempts" search={search} activeOptions={{ includeSearch: false }}>
          {words('attempts.title')}
        </Link>
      )}
      {can('PUT /partners/me/login-branding') && <Link to="/settings/branding">{words('branding')}</Link>}
    </Tabs>
  );
}
