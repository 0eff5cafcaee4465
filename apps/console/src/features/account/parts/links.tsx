import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { type Link, linksQuery, startLink, unlink } from '../queries.ts';
import { Card, CHANGES } from './cards.tsx';

function LinkButton({ link: { providerId, name } }: { readonly link: Link }) {
  const words = useTranslations('account');
  return (
    <ConfirmButton
      label={words('link')}
      title={words('linkTitle', { name })}
      size="xs"
      needs="POST /sso/link/start/{providerId}"
      changes={[]}
      act={() => startLink(providerId)}
    >
      {words('linkText', { name })}
    </ConfirmButton>
  );
}

function UnlinkButton({ link: { providerId, name } }: { readonly link: Link }) {
  const words = useTranslations('account');
  return (
    <ConfirmButton
      label={words('unlink')}
      title={words('unlinkTitle', { name })}
      size="xs"
      needs="DELETE /sso/link/{providerId}"
      changes={CHANGES}
      act={() => unlink(providerId)}
      onDone={() => notifyDone(words('unlinked', { name }))}
    >
      {words('unlinkText', { name })}
    </ConfirmButton>
  );
}

/** Identity providers with which one can sign in. */
export function Links() {
  const words = useTranslations('account');
  return (
    <Card title={words('links')}>
      <QueryView query={useQuery(linksQuery)}>
        {(links) =>
          links.length === 0 ? (
            <Text size="sm">{words('noLinks')}</Text>
          ) : (
            links.map((link) => (
              <ActRow
                key={link.providerId}
                act={link.linked ? <UnlinkButton link={link} /> : <LinkButton link={link} />}
              >
                <Text size="sm">
                  {link.name} ·{' '}
                  {link.linked ? words('linked', { email: shownAddress(link.email ?? '') }) : words('notLinked')}
                </Text>
              </ActRow>
            ))
          )
        }
      </QueryView>
    </Card>
  );
}
