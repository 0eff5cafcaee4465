import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

/** The screens about the partner itself. */
export function SettingsLinks() {
  const words = useTranslations('settings');
  return (
    <nav className="gh-tabs" aria-label={words('title')}>
      <Link to="/settings/partner">{words('partner')}</Link>
      <Link to="/settings/branding">{words('branding')}</Link>
    </nav>
  );
}
