/** Some 50 to 150 ms of work; a thousand rules and an ordinary report take less than a hundredth of it. */
const MOST_STEPS = 20_000_000;

export class EffortExceeded extends Error {}

/**
 * The work that one decision takes: nobody's rules may keep everybody's reports waiting. It counts steps and not time, so
 * that the same question always gets the same answer.
 */
export class Effort {
  private left = MOST_STEPS;

  /** @throws EffortExceeded when the decision has taken all that it may */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new EffortExceeded(`a decision may take ${MOST_STEPS} steps`);
  }
}
