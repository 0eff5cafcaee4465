import { useRouterState } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMe } from '../api/me.ts';
import { EmptyView } from './state-views.tsx';

/** The organisation of the address, or the caller's own; undefined while a partner's caller has chosen none. */
export function useOrg(): string | undefined {
  const { orgId } = useMe();
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  return orgId ?? (typeof search['org'] === 'string' ? search['org'] : undefined);
}

/** In place of a list that belongs to one organisation, while none is chosen. */
export function ChooseOrganization() {
  const words = useTranslations('ui');
  return <EmptyView title={words('chooseOrganization')} text={words('chooseOrganizationText')} />;
}
