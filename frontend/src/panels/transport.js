// Play, stop, scrub, speed and loop, with marks of findings and events on the line of time.
import { h, icon } from "../dom.js";
import { compact, seconds } from "../format.js";
import { ICONS } from "../icons.js";
import { SPEEDS } from "../player.js";

const MOST_MARKS = 400; // an impact a millisecond would paint the line over

export class Transport {
  /** @param {import("../player.js").Player} player */
  constructor(player, open) {
    this.player = player;
    this.open = open;
    this.toggle = h("button", { class: "round primary", type: "button", onclick: () => player.toggle() });
    this.line = h("input", {
      class: "timeline",
      type: "range",
      min: 0,
      max: 1,
      step: "any",
      value: 0,
      "aria-label": "time",
      "data-timeline": true,
      oninput: () => this.#scrub(),
      onkeydown: (event) => this.#keys(event),
    });
    this.marks = h("div", { class: "marks" });
    this.clock = h("output", { class: "clock", "aria-live": "off" });
    this.speed = h(
      "select",
      { class: "speed", "aria-label": "speed", onchange: () => player.setSpeed(Number(this.speed.value)) },
      SPEEDS.map((one) => h("option", { value: one }, `${compact(one)}×`)),
    );
    this.loop = h(
      "button",
      {
        class: "round",
        type: "button",
        title: "start again at the end",
        "aria-label": "loop",
        onclick: () => player.setLoop(!player.loop),
      },
      icon(ICONS.loop),
    );
    this.element = h(
      "div",
      { class: "transport", role: "group", "aria-label": "playback" },
      this.toggle,
      h("div", { class: "track" }, this.marks, this.line),
      this.clock,
      this.speed,
      this.loop,
    );
    player.addEventListener("state", () => this.#state());
    this.#state();
  }

  setMotion(motion) {
    const span = this.player.end - this.player.start || 1;
    const share = (t) => `${(100 * (t - this.player.start)) / span}%`;
    const findings = (motion.findings ?? []).map((one) => this.#mark("finding", one, one.title, share));
    const events = (motion.events ?? [])
      .slice(0, MOST_MARKS)
      .map((one) => this.#mark("event", one, one.name || one.kind, share));
    this.marks.replaceChildren(...events, ...findings);
  }

  /** Lists hold the same moments for the keyboard, so marks need not be reached by Tab. */
  #mark(kind, moment, title, share) {
    const isLong = kind === "finding" && moment.t_end > moment.t;
    const width = isLong ? `calc(${share(this.player.start + moment.t_end - moment.t)} + 6px)` : "";
    return h("button", {
      class: `mark ${kind}`,
      type: "button",
      tabindex: -1,
      title: `${title}, t = ${seconds(moment.t)}`,
      "aria-label": `go to ${title}`,
      style: { left: share(moment.t), width },
      onclick: () => {
        this.player.pause();
        this.player.seek(moment.t);
        if (kind === "finding") this.open(moment);
      },
    });
  }

  setTime() {
    const { start, end, time } = this.player;
    const share = end > start ? (time - start) / (end - start) : 0;
    this.line.value = share;
    this.line.style.setProperty("--share", String(share));
    this.line.setAttribute("aria-valuetext", `${seconds(time)} of ${seconds(end)}`);
    this.clock.textContent = `${time.toFixed(3).replace("-", "−")} / ${compact(end)} s`;
  }

  #scrub() {
    const { start, end } = this.player;
    this.player.pause();
    this.player.seek(start + Number(this.line.value) * (end - start));
  }

  /** A range has steps of its own; here an arrow is a frame. */
  #keys(event) {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.player.step(direction * (event.shiftKey ? 10 : 1));
  }

  #state() {
    const { playing, speed, loop } = this.player;
    this.toggle.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
    this.toggle.setAttribute("aria-label", playing ? "pause" : "play");
    this.toggle.title = playing ? "pause (space)" : "play (space)";
    this.toggle.classList.toggle("solid", !playing);
    this.speed.value = String(speed);
    this.loop.setAttribute("aria-pressed", String(loop));
  }
}
