import { Menu } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Overlay } from '../../forms/unsaved.ts';
import { MoreButton } from './more-button.tsx';
import type { Decision } from '../request.ts';
import '../words.ts';

const OTHER_MINUTES = [60, 240] as const;

interface ApproveMenuProps {
  readonly size: string;
  readonly careful: boolean;
  readonly onDecide: (decision: Decision) => void;
  readonly onDialog: () => void;
}

/** Other durations, and the dialog. */
export function ApproveMenu({ size, careful, onDecide, onDialog }: ApproveMenuProps) {
  const words = useTranslations('elevation');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <MoreButton size={size} />
      </Menu.Target>
      <Menu.Dropdown>
        <Overlay />
        {!careful &&
          OTHER_MINUTES.map((minutes) => (
            <Menu.Item key={minutes} onClick={() => onDecide({ decision: 'approve', durationMinutes: minutes })}>
              {words('approveFor', { duration: words(`minutes.${minutes}`) })}
            </Menu.Item>
          ))}
        <Menu.Item onClick={onDialog}>{words('approveWith')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
