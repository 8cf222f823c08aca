// Findings and events of a motion in order of time; choosing one goes there.
import { h, panel } from "../dom.js";
import { seconds } from "../format.js";
import { facts } from "./explanation.js";

const SHOWN = 60; // events listed at once

export class Moments {
  /** @param {{goto: (t: number) => void, explain: (finding: object) => void}} actions */
  constructor(actions) {
    this.actions = actions;
    this.findings = h("ul", { class: "moments" });
    this.events = h("ul", { class: "moments" });
    this.status = h("p", { class: "status-line" });
    this.element = panel("findings", "Findings and events", this.status, this.findings, this.events);
  }

  setMotion({ findings = [], events = [], status, message }) {
    this.status.textContent = message || (status && status !== "finished" ? status : "");
    this.status.hidden = !this.status.textContent;
    this.findings.replaceChildren(...findings.map((one) => this.#finding(one)));
    this.events.replaceChildren(...this.#events(events));
    if (!findings.length && !events.length) {
      this.events.replaceChildren(h("li", { class: "nothing" }, "Nothing singular and no event in this motion."));
    }
    this.all = [...this.element.querySelectorAll("[data-t]")];
  }

  #finding(finding) {
    return h("li", { class: "moment finding", "data-t": finding.t, "data-end": finding.t_end ?? finding.t },
      this.#time(finding.t),
      h("div", { class: "words" },
        h("strong", {}, finding.title),
        finding.what ? h("p", {}, finding.what) : null,
        h("button", { class: "plain-button", type: "button", onclick: () => this.actions.explain(finding) }, "Why, and what to do")));
  }

  #events(events) {
    const rows = events.slice(0, SHOWN).map((event) =>
      h("li", { class: "moment event", "data-t": event.t, "data-end": event.t },
        this.#time(event.t),
        h("div", { class: "words" },
          h("strong", {}, event.name || event.kind),
          event.what ? h("p", {}, event.what) : null,
          event.facts?.length ? h("details", {}, h("summary", {}, "numbers"), facts(event.facts)) : null)));
    if (events.length > SHOWN) rows.push(h("li", { class: "nothing" }, `and ${events.length - SHOWN} more, marked on the line of time`));
    return rows;
  }

  #time(t) {
    return h("button", {
      class: "time", type: "button", "aria-label": `go to ${seconds(t)}`, onclick: () => this.actions.goto(t),
    }, seconds(t));
  }

  /** Mark what happens now. */
  setTime(t, frame) {
    for (const row of this.all ?? []) {
      row.classList.toggle("now", t >= Number(row.dataset.t) - frame && t <= Number(row.dataset.end) + frame);
    }
  }
}
