// What is added up over the pages of a half. Of the sealed half nothing is kept but numbers.
export const HALVES = ["open", "sealed"];

const SETS = ["both", "oursAlone", "axeAlone", "cantTell", "axeUnsure", "unseen"];
const bump = (map, key, by = 1) => map.set(key, (map.get(key) ?? 0) + by);

export class Total {
  pages = 0;
  lost = 0;
  refused = 0;
  strata = new Map();
  cpu = [];
  checks = new Map();
  must = { findings: 0, decided: 0, wrong: 0 };
  repaired = 0;
  before = 0;
  after = 0;
  fresh = 0;
  freshPages = 0;
  sound = 0;
  harmed = 0;
  elements = 0;
  harmedPages = 0;
  kinds = new Map();
  widths = new Map();
  /** One by one, for the half that may be looked at. */
  wrong = [];
  harm = [];
  #repairable;

  /** `known` is what `toJSON` gave of an earlier call. */
  constructor(checks, known = {}) {
    this.#repairable = new Set(checks.filter(({ repair }) => repair === "automatic").flatMap(({ axe }) => axe));
    for (const [key, value] of Object.entries(known)) this[key] = this[key] instanceof Map ? new Map(value) : value;
  }

  toJSON() {
    return Object.fromEntries(Object.entries(this).map(([key, value]) => [key, value instanceof Map ? [...value] : value]));
  }

  lose(page, why) {
    this.lost += 1;
    if (page) this.wrong.push({ page, what: `lost: ${why}` });
  }

  /** Adds what was told about a page. Without a name nothing but numbers is kept of it. */
  add(told, stratum, page) {
    this.pages += 1;
    bump(this.strata, stratum);
    this.cpu.push(told.cpu);
    if (told.refused) {
      this.refused += 1;
      if (page) this.wrong.push({ page, what: "refused by the house" });
    }
    for (const [check, sets] of told.checks) {
      const sum = this.checks.get(check) ?? Object.fromEntries(SETS.map((key) => [key, 0]));
      for (const key of SETS) sum[key] += sets[key].length;
      this.checks.set(check, sum);
      for (const key of ["oursAlone", "axeAlone", "cantTell", "unseen"]) {
        if (page) for (const path of sets[key]) this.wrong.push({ page, check, key, path });
      }
    }
    if (told.must) {
      this.must.findings += told.must.findings;
      this.must.decided += told.must.decided;
      this.must.wrong += told.must.wrong.length;
      if (page) for (const one of told.must.wrong) this.wrong.push({ page, ...one, key: "false must-fix" });
    }
    this.#repair(told, page);
  }

  #repair(told, page) {
    if (told.repaired) this.repaired += 1;
    let fresh = 0;
    for (const rule of new Set([...told.before.keys(), ...told.after.keys()])) {
      const [before, after] = [told.before.get(rule) ?? 0, told.after.get(rule) ?? 0];
      if (this.#repairable.has(rule)) {
        this.before += before;
        this.after += after;
      }
      if (after > before) {
        fresh += after - before;
        if (page) this.harm.push({ page, what: `new violation of ${rule}`, before, after });
      }
    }
    this.fresh += fresh;
    if (fresh > 0) this.freshPages += 1;
    const seen = new Set();
    for (const { width, sound, list } of told.windows) {
      this.sound += sound;
      this.harmed += list.length;
      bump(this.widths, width, list.length);
      for (const one of list) {
        seen.add(one.path);
        for (const kind of one.kinds) bump(this.kinds, kind);
        if (page) this.harm.push({ page, width, ...one });
      }
    }
    this.elements += seen.size;
    if (seen.size > 0) this.harmedPages += 1;
  }

  /** The sums over all checks that stand for rules of axe, or over one. */
  counts(check) {
    const sum = Object.fromEntries(SETS.map((key) => [key, 0]));
    for (const [id, one] of this.checks) {
      if (check === undefined || id === check) for (const key of SETS) sum[key] += one[key];
    }
    return sum;
  }

  precision(check) {
    const { both, oursAlone } = this.counts(check);
    return ratio(both, both + oursAlone);
  }

  recall(check) {
    const { both, axeAlone, cantTell } = this.counts(check);
    return ratio(both, both + axeAlone + cantTell);
  }

  get falseMustFix() {
    return ratio(this.must.wrong, this.must.decided);
  }

  /** The share of repairable violations that are gone. */
  get mended() {
    return ratio(this.before - this.after, this.before);
  }

  get harmedShare() {
    return ratio(this.harmed, this.sound);
  }
}

/** A share, or nothing when there is nothing to divide by. */
export const ratio = (part, whole) => (whole === 0 ? undefined : part / whole);

/** Percentage points between two shares. Nothing when one of them is missing. */
export const gap = (one, other) => (one === undefined || other === undefined ? undefined : Math.abs(one - other) * 100);
