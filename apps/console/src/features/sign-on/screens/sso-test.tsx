import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../../ui/page.tsx';
import { TestResult } from '../parts/test-sign-in.tsx';
import { testQuery } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/sso-test');

/** Where the window of a test sign-in ends. */
export function SsoTest() {
  const words = useTranslations('signOn.testSignIn');
  const { attempt } = route.useSearch();
  const isWaiting =
    useQuery({ ...testQuery(attempt ?? ''), enabled: attempt !== undefined }).data?.status === 'waiting';
  return (
    <Page title={words('title')}>
      {!isWaiting && <Text size="sm">{words('ended')}</Text>}
      {attempt && <TestResult id={attempt} />}
    </Page>
  );
}
