import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { AreaTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';

interface SignOnPageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One of the screens about signing in, with the way to the others. */
export function SignOnPage({ children, ...page }: SignOnPageProps) {
  const words = useTranslations('signOn');
  const can = useCan();
  return (
    <Page {...page}>
      <AreaTabs
        label={words('related')}
        tabs={[
          ['/sign-on', words('providers')],
          ['/sign-on/domains', words('domains'), can('GET /sso/domains')],
          ['/sign-on/set-up', words('setupLinks.title'), can('GET /sso/setup-links')],
          ['/sign-on/attempts', words('attempts.title'), can('GET /sso/attempts')],
          ['/settings/branding', words('branding'), can('PUT /partners/me/login-branding')],
        ]}
      />
      {children}
    </Page>
  );
}
