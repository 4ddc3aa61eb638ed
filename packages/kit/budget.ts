/**
 * What one question may cost, however much data lies where it is asked: rows that are looked at and
 * results that are kept (an anonymous request takes at most 5 ms of the serving thread). One object
 * goes from finder to finder, so that many places, stations or files together cost no more than
 * one. A finder whose budget is spent stops and reports that its list is cut.
 */
export type BudgetBounds = {
  /** Rows of data that may be looked at. */
  looks: number;
  /** Results that may be kept as objects. */
  keeps: number;
};

export class Budget {
  #looks: number;
  #keeps: number;
  #isSpent = false;

  constructor({ looks, keeps }: BudgetBounds) {
    this.#looks = looks;
    this.#keeps = keeps;
  }

  /** Takes `rows` from the rows that may be looked at; false: fewer are left, and none is taken. */
  look(rows = 1): boolean {
    if (rows > this.#looks) return this.#end();
    this.#looks -= rows;
    return true;
  }

  /** Takes `results` from the results that may be kept; false: fewer are left. */
  keep(results = 1): boolean {
    if (results > this.#keeps) return this.#end();
    this.#keeps -= results;
    return true;
  }

  /** Takes as many of `rows` as may be looked at, and returns how many these are. */
  take(rows: number): number {
    const taken = Math.min(rows, this.#looks);
    this.#looks -= taken;
    if (taken < rows) this.#end();
    return taken;
  }

  /**
   * Runs with one of `parts` even shares of what is left. What it does not take is left to the parts
   * that follow, so that the last one has at least as much as the first.
   */
  share<T>(parts: number, run: (budget: Budget) => T): T {
    const budget = this.lend(1, parts);
    const result = run(budget);
    this.settle(budget);
    return result;
  }

  /** Takes some of `all` even shares of what is left out of this budget, until they are settled. */
  lend(shares: number, all: number): Budget {
    const looks = Math.floor((this.#looks * shares) / all);
    const keeps = Math.floor((this.#keeps * shares) / all);
    this.#looks -= looks;
    this.#keeps -= keeps;
    return new Budget({ looks, keeps });
  }

  /** Takes back what is left of a part that was lent. */
  settle(budget: Budget): void {
    this.#looks += budget.#looks;
    this.#keeps += budget.#keeps;
    this.#isSpent ||= budget.#isSpent;
  }

  /** Says what of this budget was left where it was spent, such as in another thread. */
  leave({ looks, keeps, isSpent }: BudgetBounds & { isSpent: boolean }): void {
    this.#looks = Math.min(this.#looks, looks);
    this.#keeps = Math.min(this.#keeps, keeps);
    this.#isSpent ||= isSpent;
  }

  /** Results that may still be kept. */
  get keepsLeft(): number {
    return this.#keeps;
  }

  /** Rows that may still be looked at. */
  get looksLeft(): number {
    return this.#looks;
  }

  /** Whether something was refused: what was found is then a part of what there is. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  #end(): false {
    this.#isSpent = true;
    return false;
  }
}
