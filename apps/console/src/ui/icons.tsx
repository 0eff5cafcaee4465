import type { ComponentType, SVGProps } from 'react';

// The icons that the console shows, drawn by Tabler Icons 3.51 (tabler.io/icons). The package holds five thousand more.
// Copyright (c) 2020-2026 Paweł Kuna, MIT license.

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  readonly size?: number;
  /** The width of the lines. */
  readonly stroke?: number;
}
export type Icon = ComponentType<IconProps>;

const SIDE = 24;

const drawn =
  (look: SVGProps<SVGSVGElement>, paths: readonly string[]): Icon =>
  ({ size = SIDE, stroke = 2, ...props }) => (
    <svg viewBox={`0 0 ${SIDE} ${SIDE}`} width={size} height={size} strokeWidth={stroke} {...look} {...props}>
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );

const LINES = {
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

const outline = (...paths: readonly string[]): Icon => drawn(LINES, paths);
const filled = (...paths: readonly string[]): Icon => drawn({ fill: 'currentColor' }, paths);

export const IconActivity = outline('M3 12h4l3 8l4 -16l3 8h4');
export const IconAlertTriangle = outline(
  'M12 9v4',
  'M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0',
  'M12 16h.01',
);
export const IconArrowDown = outline('M12 5l0 14', 'M18 13l-6 6', 'M6 13l6 6');
export const IconArrowUp = outline('M12 5l0 14', 'M18 11l-6 -6', 'M6 11l6 -6');
export const IconCalendar = outline(
  'M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12',
  'M16 3v4',
  'M8 3v4',
  'M4 11h16',
);
export const IconBooks = outline(
  'M5 5a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -14',
  'M9 5a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -14',
  'M5 8h4',
  'M9 16h4',
  'M13.803 4.56l2.184 -.53c.562 -.135 1.133 .19 1.282 .732l3.695 13.418a1.02 1.02 0 0 1 -.634 1.219l-.133 .041l-2.184 .53c-.562 .135 -1.133 -.19 -1.282 -.732l-3.695 -13.418a1.02 1.02 0 0 1 .634 -1.219l.133 -.041',
  'M14 9l4 -1',
  'M16 16l3.923 -.98',
);
export const IconBuilding = outline(
  'M3 21l18 0',
  'M9 8l1 0',
  'M9 12l1 0',
  'M9 16l1 0',
  'M14 8l1 0',
  'M14 12l1 0',
  'M14 16l1 0',
  'M5 21v-16a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v16',
);
export const IconCheck = outline('M5 12l5 5l10 -10');
export const IconChecklist = outline(
  'M9.615 20h-2.615a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v8',
  'M14 19l2 2l4 -4',
  'M9 8h4',
  'M9 12h2',
);
export const IconChevronDown = outline('M6 9l6 6l6 -6');
export const IconChevronLeft = outline('M15 6l-6 6l6 6');
export const IconChevronRight = outline('M9 6l6 6l-6 6');
export const IconCircle = outline('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0');
export const IconCircleCheck = outline('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0', 'M9 12l2 2l4 -4');
export const IconClock = outline('M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0', 'M12 7v5l3 3');
export const IconClockPlay = outline('M12 7v5l2 2', 'M17 22l5 -3l-5 -3l0 6', 'M13.017 20.943a9 9 0 1 1 7.831 -7.292');
export const IconCopy = outline(
  'M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666',
  'M4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1',
);
export const IconDevices = outline(
  'M13 9a1 1 0 0 1 1 -1h6a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-6a1 1 0 0 1 -1 -1v-10',
  'M18 8v-3a1 1 0 0 0 -1 -1h-13a1 1 0 0 0 -1 1v12a1 1 0 0 0 1 1h9',
  'M16 9h2',
);
export const IconDots = outline(
  'M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M18 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconFileText = outline(
  'M14 3v4a1 1 0 0 0 1 1h4',
  'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2',
  'M9 9l1 0',
  'M9 13l6 0',
  'M9 17l6 0',
);
export const IconGripVertical = outline(
  'M8 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M8 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M8 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M14 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M14 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M14 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconHistory = outline('M12 8l0 4l2 2', 'M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5');
export const IconHome = outline(
  'M5 12l-2 0l9 -9l9 9l-2 0',
  'M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-7',
  'M9 21v-6a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v6',
);
export const IconKey = outline(
  'M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1 -4.069 0l-.301 -.301l-6.558 6.558a2 2 0 0 1 -1.239 .578l-.175 .008h-1.172a1 1 0 0 1 -.993 -.883l-.007 -.117v-1.172a2 2 0 0 1 .467 -1.284l.119 -.13l.414 -.414h2v-2h2v-2l2.144 -2.144l-.301 -.301a2.877 2.877 0 0 1 0 -4.069l2.643 -2.643a2.877 2.877 0 0 1 4.069 0',
  'M15 9h.01',
);
export const IconListCheck = outline(
  'M3.5 5.5l1.5 1.5l2.5 -2.5',
  'M3.5 11.5l1.5 1.5l2.5 -2.5',
  'M3.5 17.5l1.5 1.5l2.5 -2.5',
  'M11 6l9 0',
  'M11 12l9 0',
  'M11 18l9 0',
);
export const IconMinus = outline('M5 12l14 0');
export const IconSearch = outline('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0', 'M21 21l-6 -6');
export const IconServer = outline(
  'M3 7a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3v-2',
  'M3 15a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -2',
  'M7 8l0 .01',
  'M7 16l0 .01',
);
export const IconSettings = outline(
  'M10.325 4.317c.426 -1.756 2.924 -1.756 3.35 0a1.724 1.724 0 0 0 2.573 1.066c1.543 -.94 3.31 .826 2.37 2.37a1.724 1.724 0 0 0 1.065 2.572c1.756 .426 1.756 2.924 0 3.35a1.724 1.724 0 0 0 -1.066 2.573c.94 1.543 -.826 3.31 -2.37 2.37a1.724 1.724 0 0 0 -2.572 1.065c-.426 1.756 -2.924 1.756 -3.35 0a1.724 1.724 0 0 0 -2.573 -1.066c-1.543 .94 -3.31 -.826 -2.37 -2.37a1.724 1.724 0 0 0 -1.065 -2.572c-1.756 -.426 -1.756 -2.924 0 -3.35a1.724 1.724 0 0 0 1.066 -2.573c-.94 -1.543 .826 -3.31 2.37 -2.37c1 .608 2.296 .07 2.572 -1.065',
  'M9 12a3 3 0 1 0 6 0a3 3 0 0 0 -6 0',
);
export const IconShieldCheck = outline(
  'M11.46 20.846a12 12 0 0 1 -7.96 -14.846a12 12 0 0 0 8.5 -3a12 12 0 0 0 8.5 3a12 12 0 0 1 -.09 7.06',
  'M15 19l2 2l4 -4',
);
export const IconShieldX = outline(
  'M13.252 20.601c-.408 .155 -.826 .288 -1.252 .399a12 12 0 0 1 -8.5 -15a12 12 0 0 0 8.5 -3a12 12 0 0 0 8.5 3a12 12 0 0 1 -.19 7.357',
  'M22 22l-5 -5',
  'M17 22l5 -5',
);
export const IconSnowflake = outline(
  'M10 4l2 1l2 -1',
  'M12 2v6.5l3 1.72',
  'M17.928 6.268l.134 2.232l1.866 1.232',
  'M20.66 7l-5.629 3.25l.01 3.458',
  'M19.928 14.268l-1.866 1.232l-.134 2.232',
  'M20.66 17l-5.629 -3.25l-2.99 1.738',
  'M14 20l-2 -1l-2 1',
  'M12 22v-6.5l-3 -1.72',
  'M6.072 17.732l-.134 -2.232l-1.866 -1.232',
  'M3.34 17l5.629 -3.25l-.01 -3.458',
  'M4.072 9.732l1.866 -1.232l.134 -2.232',
  'M3.34 7l5.629 3.25l2.99 -1.738',
);
export const IconStar = outline(
  'M12 17.75l-6.172 3.245l1.179 -6.873l-5 -4.867l6.9 -1l3.086 -6.253l3.086 6.253l6.9 1l-5 4.867l1.179 6.873l-6.158 -3.245',
);
export const IconStarFilled = filled(
  'M8.243 7.34l-6.38 .925l-.113 .023a1 1 0 0 0 -.44 1.684l4.622 4.499l-1.09 6.355l-.013 .11a1 1 0 0 0 1.464 .944l5.706 -3l5.693 3l.1 .046a1 1 0 0 0 1.352 -1.1l-1.091 -6.355l4.624 -4.5l.078 -.085a1 1 0 0 0 -.633 -1.62l-6.38 -.926l-2.852 -5.78a1 1 0 0 0 -1.794 0l-2.853 5.78z',
);
export const IconUsers = outline(
  'M5 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'M3 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2',
  'M16 3.13a4 4 0 0 1 0 7.75',
  'M21 21v-2a4 4 0 0 0 -3 -3.85',
);
export const IconX = outline('M18 6l-12 12', 'M6 6l12 12');
