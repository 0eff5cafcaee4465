import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconChevronDown } from '../../icons.tsx';
import type { ComponentPropsWithRef } from 'react';
import { useTranslations } from 'use-intl';
import '../words.ts';

/** Opens the other ways to approve. */
export function MoreButton({ size, ...props }: ActionIconProps & ComponentPropsWithRef<'button'>) {
  const words = useTranslations('elevation');
  return (
    <ActionIcon {...props} size={size === 'xs' ? 30 : 36} aria-label={words('approveMore')} className="gh-split">
      <IconChevronDown size={14} aria-hidden />
    </ActionIcon>
  );
}
