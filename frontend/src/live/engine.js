// Runs the loop and the kernels of a model in WebAssembly: the same instructions, in the same order, as native code.
import { Memory } from "./memory.js";
import { tolerances } from "./tolerances.js";

const CHUNK = 1024; // steps between two looks at the clock
const PATIENCE = 2000; // ms that one motion may take
const LIBRARY = { cardan_fabs: Math.abs, cardan_floor: Math.floor, cardan_ceil: Math.ceil };

export class Engine {
  /** @param {object} live as the document has it */
  static async of(live) {
    const { code } = live;
    const bytes = Uint8Array.from(atob(code.wasm), (letter) => letter.charCodeAt(0));
    const memory = new Memory(code.data_end);
    const env = {
      __linear_memory: memory.memory,
      __stack_pointer: memory.stack,
      __indirect_function_table: new WebAssembly.Table({ initial: code.table_size + 1, element: "anyfunc" }),
    };
    Object.assign(env, memory.functions);
    for (const name of code.imports) env[name] ??= LIBRARY[name] ?? Math[name.replace("cardan_", "")];
    const { instance } = await WebAssembly.instantiate(bytes, { env });
    return new Engine(live, instance.exports, memory);
  }

  constructor(live, exports, memory) {
    Object.assign(this, { live, exports, memory });
    const { n, layout, signs, work, width, size, flags, p } = live;
    const lengths = {
      "book.field.p": p.length,
      "book.field.counts": layout.COUNTS,
      "book.size": layout.SIZES,
      "book.flags": flags.length,
      "book.control": layout.CONTROLS,
      "book.atol": n,
      "book.samples": 1,
      "book.sign": signs,
      "book.found": size[layout.EVENT_CAPACITY] * (n + 2),
      "book.rows": (CHUNK + 1) * width,
      work,
    };
    this.at = Object.fromEntries(Object.entries(lengths).map(([name, count]) => [name, memory.room(count)]));
    this.lengths = lengths;
    this.t = memory.room(1);
    this.state = memory.room(n);
    this.rates = memory.room(n);
    this.outputs = memory.room(live.outputs);
    this.watching = memory.room(size[layout.N_EVENTS] + 1);
  }

  #reals(name) {
    return this.memory.reals(this.at[name], this.lengths[name]);
  }

  #integers(name) {
    return this.memory.integers(this.at[name], this.lengths[name]);
  }

  /** What stands for the address of a kernel; 0 where there is none. */
  #address(name) {
    return this.exports[`address_of_${name}`]?.() ?? 0n;
  }

  #arguments(names, more = {}) {
    const kernels = {
      "book.field.rhs": this.#address("rhs"),
      "book.events": this.#address("watch"),
      "book.field.before": 0n,
      "book.project": this.#address("project"),
    };
    return names.map((name) => more[name] ?? kernels[name] ?? this.at[name]);
  }

  /**
   * The motion from y over a duration with parameters p.
   * @returns {{rows: Float64Array, count: number, status: number, t: number, y: Float64Array, accepted: number,
   *   ended: number}} ended: which of the watched numbers became negative
   */
  motion(p, y, duration) {
    const { live } = this;
    const { layout: L, n, width, t0, code } = live;
    const run = this.exports[code.run];
    this.#start(p, y, duration);
    const parts = [Float64Array.of(t0, ...y, ...new Array(width - n - 1).fill(0))];
    const begun = performance.now();
    let status = L.MORE;
    while (status === L.MORE) {
      const counts = this.#integers("book.field.counts");
      counts[L.STORED] = counts[L.EVENTS] = 0n;
      status = Number(run(...this.#arguments(code.arguments)));
      const stored = Number(this.#integers("book.field.counts")[L.STORED]);
      parts.push(this.memory.reals(this.at["book.rows"], stored * width).slice());
      if (status === L.MORE && performance.now() - begun > PATIENCE) status = L.INTERRUPTED;
    }
    const rows = joined(parts);
    const found = Number(this.#integers("book.field.counts")[L.EVENTS]);
    const ended = found ? this.#reals("book.found")[(found - 1) * (n + 2)] : -1;
    return {
      ended,
      rows,
      count: rows.length / width,
      status,
      t: this.#reals("book.control")[L.T],
      y: this.memory.reals(this.at.work, n).slice(),
      accepted: Number(this.#integers("book.field.counts")[L.ACCEPTED]),
    };
  }

  /** Every array as `simulation/drive.py` fills it before the first step. */
  #start(p, y, duration) {
    const { live } = this;
    const { layout: L, n, t0, rtol, step, size, flags } = live;
    for (const [name, count] of Object.entries(this.lengths)) this.memory.reals(this.at[name], count).fill(0);
    this.set(p);
    this.#integers("book.size").set(size.map(BigInt));
    this.#integers("book.size")[L.CHUNK] = BigInt(CHUNK);
    this.#integers("book.flags").set(flags.map(BigInt));
    const control = this.#reals("book.control");
    const end = t0 + duration;
    control[L.T] = control[L.ORIGIN] = t0;
    control[L.END] = end;
    control[L.SPAN] = end - t0;
    control[L.RTOL] = rtol;
    control[L.H_MAX] = live.max_step ?? (live.looks ? Math.abs(end - t0) / Math.round(1 / live.looks) : Infinity);
    control[L.SMALLEST] = Infinity;
    control[L.H] = step;
    this.#reals("work").set(y);
    const rates = this.#kernel("rhs", t0, y, this.rates, n);
    this.#reals("book.atol").set(live.atol ?? tolerances(live, y, rates, end - t0));
    if (size[L.N_EVENTS]) {
      const sign = this.#reals("book.sign"); // signs of the events, then their values at the left of a step
      const values = this.watched(t0, y);
      sign.set(values, size[L.N_EVENTS]);
      sign.fill(1, 0, size[L.N_EVENTS]);
    }
  }

  /** The numbers that end a motion where one of them becomes negative. */
  watched(t, y) {
    const count = this.live.size[this.live.layout.N_EVENTS];
    return count ? this.#kernel("watch", t, y, this.watching, count) : [];
  }

  /** Parameters of what is evaluated next. */
  set(p) {
    this.#reals("book.field.p").set(p);
  }

  /** The state brought back to the constraints; nan where that cannot be done. */
  projected(t, y) {
    return this.#kernel("project", t, y, this.rates, y.length);
  }

  /** The same for a state between steps: as it is where constraints are about to lose rank. */
  #restored(t, y) {
    if (this.#kernel("nearness", t, y, this.watching, 1)[0] < this.live.too_near) return y;
    const found = this.projected(t, y);
    return found.every(Number.isFinite) ? found : y;
  }

  /** The outputs of a kernel at a state; nan where it cannot be evaluated. */
  #kernel(name, t, y, out, count) {
    this.memory.reals(this.state, y.length).set(y);
    const status = this.exports[name](t, this.state, this.at["book.field.p"], out);
    const found = this.memory.reals(out, count).slice();
    return status === 0n ? found : found.fill(NaN);
  }

  /** States at ascending times of a motion, one row each, by the interpolant of the steps. */
  statesAt({ rows, count }, times) {
    const { layout: L, n, width, code, work } = this.live;
    if (count < 2) return Array.from(times, () => rows.slice(1, n + 1));
    const starts = Array.from({ length: count }, (_, k) => rows[k * width]);
    const forward = starts[count - 1] >= starts[0];
    const steps = Array.from(times, (t) => stepOf(starts, t, forward));
    const { memory } = this;
    const kept = memory.end; // what follows is given back
    const at = {
      rows: memory.room(rows.length),
      steps: memory.room(times.length),
      out: memory.room(times.length * (n + 1)),
      work: memory.room(work),
      "field.counts": memory.room(L.COUNTS),
    };
    memory.reals(at.rows, rows.length).set(rows);
    memory.integers(at.steps, times.length).set(steps.map(BigInt));
    memory.reals(at.work, work).fill(0);
    const out = memory.reals(at.out, times.length * (n + 1)).fill(0);
    times.forEach((t, j) => (out[j * (n + 1)] = t));
    const given = {
      ...at,
      "field.rhs": this.#address("rhs"),
      "field.before": 0n,
      "field.p": this.at["book.field.p"],
      size: this.at["book.size"],
      count_of_times: BigInt(times.length),
    };
    const failed = this.exports[code.states_at](...code.arguments_at.map((name) => given[name])) !== 0n;
    const states = Array.from(times, (t, j) => {
      const next = (steps[j] + 1) * width;
      if (rows[next] === t) return rows.slice(next + 1, next + 1 + n);
      return failed ? new Float64Array(n).fill(NaN) : out.slice(j * (n + 1) + 1, (j + 1) * (n + 1));
    });
    memory.end = kept;
    return this.live.constrained ? states.map((state, j) => this.#restored(times[j], state)) : states;
  }

  /** Poses, loads and energies at a state, as the document numbers them. */
  outputsAt(t, y) {
    return this.#kernel("outputs", t, y, this.outputs, this.live.outputs);
  }
}

/** The step in which a time lies: the last one that begins not behind it. */
function stepOf(starts, t, forward) {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forward ? starts[middle] <= t : starts[middle] >= t) low = middle + 1;
    else high = middle;
  }
  return Math.min(Math.max(low - 1, 0), starts.length - 2);
}

function joined(parts) {
  const rows = new Float64Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) {
    rows.set(one, at);
    at += one.length;
  }
  return rows;
}
