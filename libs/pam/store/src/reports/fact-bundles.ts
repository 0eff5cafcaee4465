import { newId } from '@gatehouse/crypto';
import { MAX_BUNDLE_EVENTS, MAX_BUNDLE_SIZE, type OutboxRow } from '@gatehouse/database';

interface OpenBundle {
  /** Starts at 1, like row numbers in SQL. */
  readonly number: number;
  events: number;
  size: number;
}

/** The events of a batch of reports as columns, each with the bundle that it joins if its report is stored. */
export class FactBundles {
  readonly positions: number[] = [];
  readonly bundles: number[] = [];
  readonly texts: string[] = [];
  /** Ids of the bundles, by their number. */
  readonly ids: string[] = [];
  readonly subjects: string[] = [];
  private readonly open = new Map<string, OpenBundle>();

  /** @param facts the events of each report; earlier events of a report go into earlier bundles */
  constructor(facts: readonly (readonly OutboxRow[])[]) {
    const most = Math.max(...facts.map(({ length }) => length));
    for (let place = 0; place < most; place++) {
      for (const [position, own] of facts.entries()) this.add(own[place], position);
      this.open.clear();
    }
  }

  private add(fact: OutboxRow | undefined, position: number): void {
    if (!fact) return;
    const { subject, envelope } = fact;
    const text = JSON.stringify(envelope);
    const bundle = this.bundleFor(subject, text.length);
    bundle.events++;
    bundle.size += text.length;
    this.positions.push(position);
    this.bundles.push(bundle.number);
    this.texts.push(text);
  }

  private bundleFor(subject: string, size: number): OpenBundle {
    const open = this.open.get(subject);
    if (open && open.events < MAX_BUNDLE_EVENTS && open.size + size <= MAX_BUNDLE_SIZE) return open;
    const bundle = { number: this.ids.push(newId()), events: 0, size: 0 };
    this.subjects.push(subject);
    this.open.set(subject, bundle);
    return bundle;
  }
}
