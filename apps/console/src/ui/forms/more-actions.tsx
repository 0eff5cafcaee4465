import { Button, Menu } from '@mantine/core';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';
import { DrawOpener, type OpenerProps } from './act-button.tsx';
import { Overlay } from './unsaved.ts';

/** The open menu, or null. */
const Dropdown = createContext<HTMLElement | null>(null);

/** Draws an entry into the menu around it; the dialog that the entry opens stays when the menu closes. */
function MenuEntry({ children }: { readonly children: ReactNode }) {
  const dropdown = useContext(Dropdown);
  return dropdown && createPortal(children, dropdown);
}

const drawEntry = ({ color, onClick, children }: OpenerProps) => (
  <MenuEntry>
    <Menu.Item onClick={onClick} {...(color && { color })}>
      {children}
    </Menu.Item>
  </MenuEntry>
);

interface MoreActionsProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** The acts of a thing as entries of a menu. */
export function MoreActions({ label, children }: MoreActionsProps) {
  const [dropdown, setDropdown] = useState<HTMLElement | null>(null);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{label}</Button>
      </Menu.Target>
      <Menu.Dropdown ref={setDropdown}>
        <Overlay />
      </Menu.Dropdown>
      <Dropdown value={dropdown}>
        <DrawOpener value={drawEntry}>{children}</DrawOpener>
      </Dropdown>
    </Menu>
  );
}
