// A page that computes: answers the requests of sliders by motions made here, in the form in which Python sends them.
import { Engine } from "./engine.js";
import { pose, shaped } from "./poses.js";
import { ledTo } from "./start.js";

const DECIDED = {
  coordinates: "The coordinates become singular here. Python goes on from here, or says what would help.",
  rank: "The constraints come near to a loss of rank here. On which branch the motion goes on is decided in Python: use the viewer.",
  stop: "A stop is reached here. What an impact or a contact makes of the motion is decided in Python: use the viewer.",
};
const BEGINS = {
  coordinates: "The coordinates are singular at this start.",
  rank: "The constraints are near a loss of rank at this start, which is decided in Python: use the viewer.",
  stop: "This start lies on a stop or beyond it: use the viewer.",
};
const NOWHERE = "No configuration near the start of the run satisfies the constraints with these numbers.";
const ENDS = {
  UNDERFLOW: ["step-underflow", "The accuracy asked for needs steps that are too short to be made."],
  NON_FINITE: ["non-finite", "A force or the state becomes infinite however short the step."],
  PIVOT_FAILED: ["pivot-failed", "The mass matrix cannot be inverted here."],
  TOO_MANY_STEPS: ["too-many-steps", "More steps were needed than the run may take."],
  STIFF: ["stiff", "The model is stiff from here on, and the implicit method for that is not in this page: use the viewer."],
  INTERRUPTED: ["interrupted", "Computing took too long for a page; what was computed is shown."],
};

export class Live {
  /** @param {object} model of the document */
  static async of(model) {
    return new Live(await Engine.of(model.live), model.live);
  }

  constructor(engine, live) {
    Object.assign(this, { engine, live });
  }

  /** The motion that a request asks for, as the document has motions. */
  answer(request) {
    const made = this.#made(request);
    return this.#told(made, request.quality === "full" ? 2 * this.live.frames : this.live.frames);
  }

  /** The end of the motion that a request asks for, to the last bit. */
  end(request) {
    const { t, y, status, accepted, from, why } = this.#made(request);
    return { t, y: Array.from(y), status, accepted, from: Array.from(from), why };
  }

  #made(request) {
    const { p, y, duration, held } = this.#numbers(request);
    const { engine, live } = this;
    const from = live.constrained ? this.#start(p, held) : y;
    if (from === null) return standing(live, y, NOWHERE);
    engine.set(p);
    const beyond = this.#kind(engine.watched(live.t0, from).findIndex((value) => value <= 0));
    if (beyond) return standing(live, from, BEGINS[beyond]);
    const made = engine.motion(p, from, duration);
    const kind = made.status === live.layout.TERMINAL ? this.#kind(made.ended) : "";
    return { ...made, from, why: DECIDED[kind] ?? "" };
  }

  /** The start on the constraints; as it is where nothing was changed. */
  #start(p, held) {
    const { engine, live } = this;
    const run = { p: Float64Array.from(live.p), y: Float64Array.from(live.y) };
    if (!held.size && p.every((value, k) => value === run.p[k])) return run.y;
    const project = (parameters, guess) => {
      engine.set(parameters);
      return engine.projected(live.t0, guess);
    };
    return ledTo(project, run, p, held);
  }

  /** What kind of thing is watched by the number at a place; "" for none. */
  #kind(place) {
    let first = 0;
    for (const { kind, count } of this.live.watched) {
      if (place >= first && place < first + count) return kind;
      first += count;
    }
    return "";
  }

  #numbers({ values = {}, q = {}, v = {}, loads = {}, inputs = {}, duration }) {
    const { places, duration: usual } = this.live;
    const p = Float64Array.from(this.live.p);
    const y = Float64Array.from(this.live.y);
    const held = new Map();
    const put = (into, given, where) => {
      for (const [name, value] of Object.entries(given)) {
        if (!(name in where)) continue;
        if (into === y && y[where[name]] !== value) held.set(where[name], value);
        into[where[name]] = value;
      }
    };
    put(p, values, places.values);
    put(p, { ...loads, ...inputs }, places.signals);
    put(y, q, places.q);
    put(y, v, places.v);
    return { p, y, held, duration: duration === undefined ? usual : Math.sign(usual || 1) * duration };
  }

  #told(made, frames) {
    const { live, engine } = this;
    const first = made.rows[0];
    const [low, high] = first <= made.t ? [first, made.t] : [made.t, first];
    const count = low === high ? 1 : frames;
    const times = Float64Array.from({ length: count }, (_, k) => (k === count - 1 ? high : low + (k * (high - low)) / (count - 1)));
    const states = engine.statesAt(made, times);
    const outputs = states.map((state, k) => engine.outputsAt(times[k], state));
    const [status, message] = ending(live.layout, made);
    const reached = made.t.toPrecision(6).replace(/\.?0+$/, "");
    const complete = status === "finished";
    return {
      times: shaped(times, 1),
      status,
      message: complete ? `Reached t = ${reached}.` : `t = ${reached} s: ${message}`,
      poses: live.actors.map((actor) => pose(actor, outputs)),
      arrows: live.loads.flatMap((load) => arrows(load, outputs)),
      series: [...this.#states(states), ...this.#energies(outputs)],
      findings: [],
      events: [],
      audit: [],
      verdict: [
        {
          label: "Motion",
          value: complete ? `complete, ${first} s to ${reached} s` : `stopped at ${reached} s`,
          detail: complete ? `${made.accepted} steps, computed in this page` : message,
          tone: complete ? "good" : "bad",
        },
      ],
    };
  }

  #states(states) {
    return this.live.series.map(([group, name, latex, unit], k) =>
      series(group, name, latex, unit, states.map((state) => state[k])),
    );
  }

  /** T, V and T + V where there is a potential, and the Jacobi integral where it is another number. */
  #energies(outputs) {
    const [T, V, J] = [0, 1, 2].map((k) => outputs.map((row) => row[this.live.energies + k]));
    const sum = T.map((value, k) => value + V[k]);
    const found = [series("energy", "kinetic energy", "T", "J", T)];
    if (V.some((value) => value !== 0)) {
      found.push(series("energy", "potential energy", "V", "J", V), series("energy", "energy", "T + V", "J", sum));
    }
    const most = Math.max(0, ...T.map(Math.abs).filter(Number.isFinite));
    if (J.some((value, k) => Math.abs(value - sum[k]) > 1e-9 * Math.abs(sum[k]) + 1e-12 * most)) {
      found.push(series("energy", "Jacobi integral", "\\mathbf v \\cdot \\partial L / \\partial \\mathbf v - L", "J", J));
    }
    return found;
  }
}

/** A motion that does not begin. */
function standing({ t0, n, width }, y, why) {
  const rows = Float64Array.of(t0, ...y, ...new Array(width - n - 1).fill(0));
  return { rows, count: 1, status: -1, t: t0, y, from: y, accepted: 0, why };
}

function ending(layout, { status, why }) {
  if (status === layout.FINISHED) return ["finished", ""];
  if (why) return ["stopped", why];
  const name = Object.keys(ENDS).find((one) => layout[one] === status);
  return ENDS[name] ?? ["stopped", "The motion cannot be continued."];
}

function series(group, name, latex, unit, values) {
  const packed = Float32Array.from(values);
  return { group, name, latex, unit, values: Object.assign(packed, { shape: [packed.length] }), threshold: null, log: false };
}

function arrows({ name, unit, at, opposite }, outputs) {
  const column = (first, sign) =>
    shaped(Float32Array.from(outputs.flatMap((row) => [0, 1, 2].map((k) => sign * row[first + k]))), 3);
  const own = { name, kind: "load", at: column(at, 1), vector: column(at + 3, 1), unit, visible: null };
  if (opposite === null) return [own];
  return [own, { ...own, name: `${name} (opposite)`, at: column(opposite, 1), vector: column(at + 3, -1) }];
}
