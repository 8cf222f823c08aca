// h() on a document that writes down what it is asked for; that browsers do the same is seen in tests/browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { h, icon, panel } from "../src/dom.js";

class Recorded {
  constructor(tag, namespace) {
    Object.assign(this, { tag, namespace, attributes: {}, listeners: {}, children: [], css: {} });
    this.style = { setProperty: (name, value) => (this.css[name] = value) };
  }

  setAttribute(name, value) {
    assert.equal(typeof value, "string");
    this.attributes[name] = value;
  }

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  append(...nodes) {
    this.children.push(...nodes);
  }
}

globalThis.document = {
  createElement: (tag) => new Recorded(tag, null),
  createElementNS: (namespace, tag) => new Recorded(tag, namespace),
};

test("attributes are texts, true is an empty one, and nothing sets none", () => {
  const { attributes } = h("input", { min: 0, step: "any", hidden: true, title: null, max: undefined, checked: false });
  assert.deepEqual(attributes, { min: "0", step: "any", hidden: "" });
});

test("names that start with on are listeners and leave no attribute behind", () => {
  const heard = [];
  const button = h("button", { onclick: () => heard.push("click"), onpointerdown: () => heard.push("down") });
  button.listeners.click();
  button.listeners.pointerdown();
  assert.deepEqual(heard, ["click", "down"]);
  assert.deepEqual(button.attributes, {});
});

test("style is set property by property, never as the attribute that a policy may forbid", () => {
  const { css, attributes } = h("span", { style: { left: "20%", "--share": "0.2" } });
  assert.deepEqual(css, { left: "20%", "--share": "0.2" });
  assert.deepEqual(attributes, {});
});

test("children may be lists in lists, and nothing is left out while zero stays", () => {
  const inner = h("b");
  const { children } = h("p", {}, "a", [null, ["b", [inner]]], false, undefined, 0, "");
  assert.deepEqual(children, ["a", "b", inner, 0, ""]);
});

test("text stays text", () => {
  assert.deepEqual(h("p", {}, "<img src=x onerror=alert(1)>").children, ["<img src=x onerror=alert(1)>"]);
});

test("drawings are made in their own namespace, everything else is not", () => {
  const drawing = icon("M0 0h1");
  assert.equal(drawing.namespace, "http://www.w3.org/2000/svg");
  assert.equal(drawing.children[0].namespace, "http://www.w3.org/2000/svg");
  assert.deepEqual(drawing.children[0].attributes, { d: "M0 0h1" });
  assert.equal(h("section").namespace, null);
});

test("a panel is named by its heading", () => {
  const section = panel("audit", "Checks", h("dl"), null);
  const [heading, list] = section.children;
  assert.equal(section.attributes["aria-labelledby"], heading.attributes.id);
  assert.deepEqual([section.attributes.id, heading.children, list.tag], ["panel-audit", ["Checks"], "dl"]);
  assert.equal(section.children.length, 2);
});
