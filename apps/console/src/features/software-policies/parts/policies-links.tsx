import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Tabs } from '../../../ui/page.tsx';

/** The policies as a list, and by the place that they are for. */
export function PoliciesLinks({ org }: { readonly org: string }) {
  const words = useTranslations('softwarePolicies');
  const activeOptions = { exact: true, includeSearch: false };
  return (
    <Tabs label={words('title')}>
      <Link to="/rules/software-policies" search={{ org }} activeOptions={activeOptions}>
        {words('list')}
      </Link>
      <Link to="/rules/software-policies/places" search={{ org }} activeOptions={activeOptions}>
        {words('byPlace')}
      </Link>
    </Tabs>
  );
}
