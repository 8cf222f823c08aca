// Findings and events of a motion: the same thing at several times is told once, with a button for each time.
import { h, panel } from "../dom.js";
import { seconds } from "../format.js";
import { facts } from "./explanation.js";

const SHOWN = 40; // times listed at once

export class Moments {
  /** @param {{goto: (t: number) => void, explain: (finding: object) => void}} actions */
  constructor(actions) {
    this.actions = actions;
    this.list = h("ul", { class: "moments" });
    this.status = h("p", { class: "status-line" });
    this.element = panel("findings", "Findings and events", this.status, this.list);
    this.times = [];
  }

  setMotion({ findings = [], events = [], status, message }) {
    this.status.textContent = status === "finished" ? "" : message || status || "";
    this.status.hidden = !this.status.textContent;
    this.status.classList.toggle("bad", status !== "event"); // to stop at an event is what was asked for
    this.times = [];
    const rows = [
      ...grouped(findings, (one) => one.title).map((group) => this.#finding(group)),
      ...grouped(events, (one) => `${one.kind}\n${one.name}`).map((group) => this.#event(group)),
    ];
    this.list.replaceChildren(...rows);
    if (!rows.length)
      this.list.replaceChildren(h("li", { class: "nothing" }, "Nothing singular and no event in this motion."));
  }

  #finding(group) {
    const ask = h(
      "button",
      {
        class: "plain-button",
        type: "button",
        onclick: () => this.actions.explain(this.#nearest(group)),
      },
      "Why, and what to do",
    );
    return h(
      "li",
      { class: "moment finding" },
      h("strong", {}, group[0].title),
      this.#chips(group),
      group[0].what ? h("p", {}, group[0].what) : null,
      ask,
    );
  }

  #event(group) {
    const { kind, title, name, what } = group[0];
    const listed = group.filter((one) => one.facts?.length).slice(0, SHOWN);
    const numbers = listed.length
      ? h(
          "details",
          {},
          h("summary", {}, "numbers"),
          listed.map((one) => [h("p", { class: "at" }, `at ${seconds(one.t)}`), facts(one.facts)]),
        )
      : null;
    return h(
      "li",
      { class: "moment event" },
      h("strong", {}, name && kind !== "user" ? `${title}: ${name}` : name || title),
      this.#chips(group),
      what ? h("p", {}, what) : null,
      numbers,
    );
  }

  #chips(group) {
    const chips = group.slice(0, SHOWN).map((moment) => {
      const chip = h(
        "button",
        {
          class: "time",
          type: "button",
          "aria-label": `go to ${seconds(moment.t)}`,
          onclick: () => this.actions.goto(moment.t),
        },
        seconds(moment.t),
      );
      this.times.push({ chip, start: moment.t, end: Math.max(moment.t, moment.t_end ?? moment.t) });
      return chip;
    });
    if (group.length > SHOWN) chips.push(h("span", { class: "detail" }, `and ${group.length - SHOWN} more`));
    return h("div", { class: "chips" }, chips);
  }

  #nearest(group) {
    const distance = (one) => Math.abs(one.t - this.now);
    return group.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  }

  /** Mark what happens now. @param {number} around seconds that count as now */
  setTime(t, around) {
    this.now = t;
    for (const { chip, start, end } of this.times)
      chip.classList.toggle("now", t >= start - around && t <= end + around);
  }
}

/** In order of first appearance. */
function grouped(list, key) {
  const groups = new Map();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups.values()];
}
