// Elements in few words. Text is always set as text, never parsed.

/**
 * A new element. Attributes starting with "on" are listeners; true sets an empty attribute; null and false set none.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A 20 by 20 line drawing from the path data of icons.js. */
export function icon(path) {
  const drawing = document.createElementNS(SVG, "svg");
  for (const [name, value] of [
    ["viewBox", "0 0 20 20"],
    ["class", "icon"],
    ["aria-hidden", "true"],
  ]) {
    drawing.setAttribute(name, value);
  }
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}

/** A section of the page with its heading; `id` is what links point at. */
export function panel(id, title, ...children) {
  return h(
    "section",
    { class: "panel", id: `panel-${id}`, "aria-labelledby": `heading-${id}` },
    h("h2", { id: `heading-${id}` }, title),
    ...children,
  );
}
