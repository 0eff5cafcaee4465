import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { changedValues, type Field } from '../../../ui/forms/fields.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { patchOf } from '../model.ts';
import { SettingsTabs } from '../../../ui/area-tabs.tsx';
import { OfPartner, useChosenPartner } from '../../../ui/use-org.tsx';
import { type Partner, partnerQuery, updatePartner } from '../queries.ts';

const DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD'] as const;
const TIME_FORMATS = ['24h', '12h'] as const;
const HOURS = ['24/7', 'business', 'extended'] as const;

const SETTINGS = [
  'timezone',
  'dateFormat',
  'timeFormat',
  'businessHours.preset',
  'contact.name',
  'contact.email',
  'contact.phone',
  'contact.website',
] as const;

/** The text at a path of the settings, which are stored as they were sent; empty when there is none. */
function settingAt(settings: Partner['settings'], path: string): string {
  let at: unknown = settings;
  for (const member of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[member];
  return typeof at === 'string' ? at : '';
}

const valuesOf = ({ name, billingEmail, settings }: Partner): Record<string, string> => ({
  name,
  billingEmail: billingEmail ?? '',
  ...Object.fromEntries(SETTINGS.map((path) => [`settings.${path}`, settingAt(settings, path)])),
});

function useFields(): readonly Field[] {
  const words = useTranslations('settings');
  const none = words('unset');
  const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  return [
    { name: 'name', label: words('name'), required: true, ...inputLimits('PATCH /orgs/partners/me', 'name') },
    { name: 'billingEmail', label: words('billingEmail') },
    { name: 'settings.timezone', label: words('timezone'), kind: 'choice', choices: choicesOf(timeZones()), none },
    { name: 'settings.dateFormat', label: words('dateFormat'), kind: 'choice', choices: choicesOf(DATE_FORMATS), none },
    { name: 'settings.timeFormat', label: words('timeFormat'), kind: 'choice', choices: choicesOf(TIME_FORMATS), none },
    {
      name: 'settings.businessHours.preset',
      label: words('businessHours'),
      kind: 'choice',
      choices: HOURS.map((value) => ({ value, label: words(`hours.${value}`) })),
      none,
    },
    { name: 'settings.contact.name', label: words('contactName'), maxLength: 255 },
    { name: 'settings.contact.email', label: words('contactEmail'), maxLength: 320 },
    { name: 'settings.contact.phone', label: words('contactPhone'), maxLength: 64 },
    { name: 'settings.contact.website', label: words('contactWebsite'), maxLength: 500 },
  ];
}

const timeZones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

function Partner({ partner }: { readonly partner: Partner }) {
  const words = useTranslations('settings');
  const uiWords = useTranslations('ui');
  const fields = useFields();
  const chosen = useChosenPartner();
  const initial = valuesOf(partner);
  return (
    <Stack className="gh-card">
      <Group justify="space-between">
        <Title order={2}>{partner.name}</Title>
        <FormButton
          key={partner.updatedAt}
          label={words('change')}
          title={uiWords('edit', { name: partner.name })}
          orgId={null}
          size="xs"
          variant="default"
          needs={chosen ? 'PATCH /orgs/partners/{id}' : 'PATCH /orgs/partners/me'}
          fields={fields}
          initial={initial}
          changes={['settings', 'session', 'system']}
          act={(values) => updatePartner(chosen, patchOf(changedValues(initial, values)))}
          onDone={() => notifyDone(words('saved'))}
        />
      </Group>
      <Facts
        facts={[
          { name: words('plan'), value: partner.plan },
          { name: words('maxOrganizations'), value: partner.maxOrganizations },
          { name: words('maxDevices'), value: partner.maxDevices },
          ...fields.slice(1).map(({ name, label, choices }) => ({
            name: label,
            value: choices?.find(({ value }) => value === initial[name])?.label ?? initial[name],
          })),
        ]}
      />
    </Stack>
  );
}

function Settings() {
  return (
    <QueryView query={useQuery(partnerQuery(useChosenPartner()))}>
      {(partner) => <Partner partner={partner} />}
    </QueryView>
  );
}

/** The partner's name, billing address, formats, business hours and contact. */
export function PartnerPage() {
  const words = useTranslations('settings');
  return (
    <Page title={words('partner')}>
      <SettingsTabs />
      <OfPartner>
        <Settings />
      </OfPartner>
    </Page>
  );
}
