/**
 * What one question may cost, however much data lies where it is asked: rows that are looked at and
 * results that are kept (an anonymous request takes at most 5 ms of the serving thread). One object goes from finder to finder, so that many places, stations or files
 * together cost no more than one. A finder whose budget is spent stops and reports that its list is cut.
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

  /** Rows that may still be looked at. */
  get looksLeft(): number {
    return this.#looks;
  }

  /** Results that may still be kept. */
  get keepsLeft(): number {
    return this.#keeps;
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
