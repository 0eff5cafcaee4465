import { EventBus, STEP_QUESTION } from '@gatehouse/messaging';
import type { StepQuestion } from '@gatehouse/tenant-data';
import type { TestBroker } from './test-broker.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Replaces tenancy at a broker: replies which steps of merges and purges are due, as tenancy would from its own tables.
 */
export class StepOwner {
  readonly asked: StepQuestion[] = [];
  /** Whether a step is due; all steps are due until a suite changes this. */
  due: (question: StepQuestion) => boolean = () => true;
  private readonly bus: EventBus;

  private constructor(broker: TestBroker) {
    this.bus = new EventBus({ url: broker.urlOf('tenancy'), name: 'tenancy', log: SILENT });
    this.bus.reply<StepQuestion>(STEP_QUESTION, async (question) => {
      this.asked.push(question);
      return { due: this.due(question) };
    });
  }

  static async at(broker: TestBroker): Promise<StepOwner> {
    const owner = new StepOwner(broker);
    owner.bus.start();
    await owner.bus.whenReady();
    return owner;
  }

  stop(): Promise<void> {
    return this.bus.close();
  }
}
