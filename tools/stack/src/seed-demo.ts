import type { DemoContext, DemoReport } from './demo.ts';

/** Fills an empty system with a demo tenant; undefined when the system is not empty. */
export async function seedDemo(context: DemoContext): Promise<DemoReport | undefined> {
  context.log('no demo tenant yet');
  return undefined;
}
