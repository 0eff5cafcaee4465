/** The sections of every service's README. Those from `Routes` on are generated. */
export const WRITTEN = ['What it does', 'Data', 'Folders'] as const;
export const GENERATED = ['Routes', 'Events', 'Settings', 'Metrics'] as const;

export type Sections = Readonly<Record<(typeof GENERATED)[number], string>>;

const MARK = '<!-- Made by tools/service-docs from here on: npm run service-docs -->';

const headingsOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

/** @returns what differs from the template in the part that is written by hand; null when nothing does */
export function faultOf(readme: string): string | null {
  const [written = ''] = readme.split(MARK);
  const headings = headingsOf(written);
  return headings.join() === WRITTEN.join()
    ? null
    : `its sections must be ${WRITTEN.join(', ')}; they are ${headings.join(', ')}`;
}

/** The README with its generated sections written anew. */
export function withSections(readme: string, sections: Sections): string {
  const [written = ''] = readme.split(MARK);
  const generated = GENERATED.map((name) => `## ${name}\n\n${sections[name]}\n`).join('\n');
  return `${written.trimEnd()}\n\n${MARK}\n\n${generated}`;
}
