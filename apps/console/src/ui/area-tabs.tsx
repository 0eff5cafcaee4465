import { Link, type LinkProps, useParams } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../api/me.ts';
import { Tabs } from './page.tsx';
import { useOrg } from './use-org.tsx';

interface AreaTabsProps {
  readonly label: string;
  /** An address, its name, and whether the person may open it. */
  readonly tabs: readonly (readonly [to: NonNullable<LinkProps['to']>, name: string, isOpen?: boolean])[];
}

/** The screens of an area; the chosen organisation stays. */
export function AreaTabs({ label, tabs }: AreaTabsProps) {
  const org = useOrg();
  const { orgId = org } = useParams({ strict: false });
  const hasTabsBelow = (to: string) => tabs.some(([other]) => other.startsWith(`${to}/`));
  return (
    <Tabs label={label}>
      {tabs
        .filter(([, , isOpen = true]) => isOpen)
        .map(([to, name]) => (
          <Link
            key={to}
            to={to}
            params={{ orgId } as never}
            search={(orgId && !to.includes('$') ? { org: orgId } : {}) as never}
            activeOptions={{ exact: hasTabsBelow(to), includeSearch: false }}
          >
            {name}
          </Link>
        ))}
    </Tabs>
  );
}

/** The settings of the partner, and those of an organisation. */
export function SettingsTabs() {
  const words = useTranslations('ui.settings');
  const can = useCan();
  return (
    <AreaTabs
      label={words('title')}
      tabs={[
        ['/settings/partner', words('partner'), can('GET /orgs/partners/me') || can('GET /orgs/partners')],
        ['/settings/branding', words('branding'), can('PUT /partners/me/login-branding')],
        ['/settings/defaults', words('defaults'), can('GET /pam/config')],
      ]}
    />
  );
}

/** The rules, what they refer to, and what decides without a rule. */
export function RulesTabs() {
  const words = useTranslations('ui.rules');
  const isAbove = useMe().scope !== 'organization';
  const org = useOrg();
  const { orgId = org } = useParams({ strict: false });
  return (
    <AreaTabs
      label={words('title')}
      tabs={[
        ['/rules', words('rules')],
        ['/rules/partner', words('partner'), isAbove],
        ['/rules/signer-groups', words('signerGroups')],
        ['/rules/partner/signer-groups', words('partnerGroups'), isAbove],
        ['/rules/software-policies', words('softwarePolicies')],
        ['/rules/capture', words('capture')],
        ['/orgs/$orgId/replays', words('replays'), orgId !== undefined],
        ['/settings/defaults', words('defaults')],
      ]}
    />
  );
}
