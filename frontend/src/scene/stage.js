// The stage that holds the picture, or says why there is none.
import { h } from "../dom.js";
import { View } from "./view.js";

/** @returns {{element: HTMLElement, view: View|null}} */
export function createView(page, theme, changed) {
  const canvas = h("canvas", {
    class: "scene",
    tabindex: -1,
    role: "img",
    "aria-label": `moving picture of ${page.model.name}`,
  });
  const labels = h("div", { class: "scene-labels", "aria-hidden": "true" });
  const element = h("div", { class: "stage" }, canvas, labels);
  const hasPicture = page.model.bodies.length > 0 || (page.model.portraits ?? []).length > 0;
  if (!hasPicture)
    return withoutPicture(
      element,
      "Nothing to draw",
      "This system has neither bodies nor a portrait. The plots show its motion.",
    );
  if (!hasWebGL()) {
    return withoutPicture(
      element,
      "No 3-D picture here",
      "This browser offers no WebGL 2. Switch on hardware acceleration or use another browser; " +
        "everything else on this page works.",
    );
  }
  return { element, view: new View({ canvas, labels }, page, theme, changed) };
}

function withoutPicture(element, title, words) {
  element.replaceChildren(h("div", { class: "no-picture", role: "status" }, h("strong", {}, title), h("p", {}, words)));
  return { element, view: null };
}

function hasWebGL() {
  const context = h("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext(); // browsers keep only a few
  return context !== null;
}
