// The names over the picture: of bodies, of arrows with their strength, of the curves of a configuration.
import { quantity } from "../format.js";
import { anchorOf } from "./anchors.js";

const NARROW = 480; // pixels: a picture below this has no room for numbers at arrows

/**
 * What to write at which point; a name without a point is hidden. They are asked at every frame.
 * @param {import("./view.js").View} view
 * @returns {{text: () => string, at: () => import("three").Vector3|null, tone?: string}[]}
 */
export function namesIn(view) {
  return [...bodyNames(view), ...arrowNames(view), ...curveNames(view)];
}

function bodyNames({ bodies, model, layers }) {
  return (bodies?.groups ?? []).map((group, k) => {
    const anchor = anchorOf(model.bodies[k], k);
    return { text: () => group.name, at: () => (layers.labels ? group.localToWorld(anchor.clone()) : null) };
  });
}

function arrowNames(view) {
  return (view.arrows?.arrows ?? []).map((arrow) => ({
    text: () => wordsOf(arrow),
    at: () => (isNamed(arrow, view) ? arrow.tip : null),
    tone: arrow.data.kind,
  }));
}

function wordsOf({ data, strength }) {
  return data.kind === "lost" ? data.name : `${data.name} ${quantity(strength, data.unit)}`;
}

/** What is lost is named wherever it is shown; of the rest the strongest, where there is room. */
function isNamed(arrow, { arrows, layers, width }) {
  if (arrow.data.kind === "lost") return arrow.shown;
  return layers.labels && width > NARROW && arrows.isStrongest(arrow);
}

function curveNames({ configuration, layers }) {
  const curves = configuration?.isEmpty === false ? configuration.labels() : [];
  return curves.map((one) => ({ ...one, at: () => (layers.labels ? one.at() : null) }));
}
