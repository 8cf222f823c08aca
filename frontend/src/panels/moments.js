// Findings and events of a motion: the same thing at several times is told once, with a button for each time.
import { h, panel } from "../dom.js";
import { seconds } from "../format.js";
import { facts } from "./explanation.js";

const SHOWN = 40; // times listed at once
const FIRST = 8; // of them shown without being asked for

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
    const chips = alike(group).map((moments) => this.#chip(moments));
    const [seen, more] = [chips.slice(0, FIRST), chips.slice(FIRST, SHOWN)];
    if (chips.length > SHOWN) more.push(h("span", { class: "detail" }, `and ${chips.length - SHOWN} more`));
    const rest = more.length
      ? h("details", {}, h("summary", {}, `${chips.length - FIRST} more times`), h("div", { class: "chips" }, more))
      : null;
    return [h("div", { class: "chips" }, seen), rest];
  }

  /** A button for moments whose times read alike. */
  #chip(moments) {
    const [first, last] = [moments[0], moments[moments.length - 1]];
    const words = moments.length > 1 ? `${seconds(first.t)} ×${moments.length}` : seconds(first.t);
    const chip = h(
      "button",
      { class: "time", type: "button", title: "go there", onclick: () => this.actions.goto(first.t) },
      words,
    );
    this.times.push({ chip, start: first.t, end: Math.max(last.t, last.t_end ?? last.t) });
    return chip;
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

/** Moments one behind the other whose times read alike, together: a ball that comes to rest does so in many impacts. */
export function alike(list) {
  const groups = [];
  for (const one of list) {
    const last = groups[groups.length - 1];
    if (last && seconds(last[0].t) === seconds(one.t)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** In order of first appearance. */
function grouped(list, key) {
  const groups = new Map();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups.values()];
}
