// Elements in few words. Text is always set as text, never parsed.

const SVG = "http://www.w3.org/2000/svg";
const DRAWINGS = new Set(["svg", "path", "line", "g", "circle", "text", "title"]); // tags that are made in the namespace of drawings

/** @typedef {Node|string|number|null|undefined|false} Child null, undefined and false stand for nothing */

/**
 * A new element with its children.
 *
 * Attributes that start with "on" are listeners; "style" is an object of CSS properties, set one by one, because a
 * policy may forbid the attribute; true sets an empty attribute; null, undefined and false set none. Children may be
 * lists, as in `h("ul", {}, names.map(item))`; those that are nothing are left out, as in `h("p", {}, note ?? null)`.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = DRAWINGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (!isNothing(value)) give(element, name, value);
  element.append(...children.flat(Infinity).filter((child) => !isNothing(child)));
  return element;
}

function isNothing(value) {
  return value === null || value === undefined || value === false;
}

function give(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "style") for (const [key, css] of Object.entries(value)) element.style.setProperty(key, css);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** A 20 by 20 line drawing from the path data of icons.js. */
export function icon(path) {
  return h("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, h("path", { d: path }));
}

/** A section of the page with its heading; `id` is what links point at. */
export function panel(id, title, ...children) {
  return h(
    "section",
    { class: "panel", id: `panel-${id}`, "aria-labelledby": `heading-${id}` },
    h("h2", { id: `heading-${id}` }, title),
    children,
  );
}
