import type { SignerSets } from '../rules/signer-group.ts';
import { anchorsOf, type Conjunction, covers, featuresOf } from './implication.ts';

interface Filed {
  readonly position: number;
  readonly conjunction: Conjunction;
}

/** Live rules in their order, filed by what a rule must have so that one of them can cover it. */
export class LiveRules {
  private readonly anywhere: Filed[] = [];
  private readonly byAnchor = new Map<string, Filed[]>();
  private size = 0;

  constructor(private readonly groups: SignerSets) {}

  add(conjunction: Conjunction): void {
    const filed = { position: this.size++, conjunction };
    const anchors = anchorsOf(conjunction);
    const [rarest] = anchors.sort((one, other) => this.countAt(one) - this.countAt(other));
    if (rarest === undefined) this.anywhere.push(filed);
    else this.at(rarest).push(filed);
  }

  /** The first rule that covers this one. */
  covering(later: Conjunction): Conjunction | null {
    const places = [this.anywhere, ...[...featuresOf(later)].map((feature) => this.byAnchor.get(feature) ?? [])];
    const found = places.flatMap((rules) => rules.find((each) => covers(each.conjunction, later, this.groups)) ?? []);
    return found.sort((one, other) => one.position - other.position)[0]?.conjunction ?? null;
  }

  private at(anchor: string): Filed[] {
    const filed = this.byAnchor.get(anchor) ?? [];
    this.byAnchor.set(anchor, filed);
    return filed;
  }

  private countAt(anchor: string): number {
    return this.byAnchor.get(anchor)?.length ?? 0;
  }
}
