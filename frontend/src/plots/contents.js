// Which cards a motion asks for: one for each group and unit of its series, one for each portrait of its model.
import { mathText } from "./labels.js";
import { Portrait } from "./portrait.js";
import { SurfacePortrait } from "./portrait3d.js";
import { portraitData } from "./portraitdata.js";
import { TimePlot } from "./timeplot.js";

/**
 * @typedef {object} Content what a card shows
 * @property {string} key the same for the same card of another motion
 * @property {string} group its class
 * @property {string} title
 * @property {string} [aside] after the title
 * @property {() => import("./painter.js").Plot[]} make new plots
 * @property {(card: import("./card.js").Card) => void} fill shows this motion in them
 */

const GROUPS = [
  { group: "coordinates", title: "Coordinates" },
  { group: "velocities", title: "Velocities" },
  {
    group: "indicators",
    title: "Singularity indicators",
    label: "indicator (no unit)",
    log: true,
    isNamed: true,
    isTogether: true,
    markFindings: true,
  },
  { group: "energy", title: "Energy", isNamed: true },
  {
    group: "drift",
    title: "Drift of energy and constraints",
    label: "size of the error",
    log: true,
    isNamed: true,
    isTogether: true,
  },
  { group: "multipliers", title: "Multipliers", isNamed: true },
];
const QUANTITY = {
  rad: "angle",
  m: "length",
  "rad/s": "rate",
  "m/s": "speed",
  J: "energy",
  N: "force",
  "N m": "moment",
  "N·m": "moment",
  W: "power",
};

/**
 * @param {object} model @param {object} motion @param {ArrayLike<number>} times of the motion
 * @param {import("./link.js").Link} link
 * @returns {Content[]}
 */
export function contentsOf(model, motion, times, link) {
  const curves = GROUPS.flatMap((group) => {
    const parts = partsOf(motion.series, group);
    return parts.map((part) => timeContent(group, part, parts.length > 1, motion, times, link));
  });
  const portraits = (model.portraits ?? []).map((one, k) => portraitContent(one, k, motion, times, link));
  return [...curves, ...portraits.filter(Boolean)];
}

/** The series of a group, a part for each unit unless they go together. */
function partsOf(series, { group, isTogether }) {
  const own = series.filter((one) => one.group === group);
  if (isTogether) return own.length ? [own] : [];
  return unitsOf(own).map((unit) => own.filter((one) => (one.unit ?? "") === unit));
}

function unitsOf(series) {
  return [...new Set(series.map((one) => one.unit ?? ""))];
}

function timeContent(group, part, isOneOfSeveral, motion, times, link) {
  const unit = part[0].unit ?? "";
  const sameUnit = unitsOf(part).length === 1;
  const quantity = group.label ?? QUANTITY[unit] ?? group.title.toLowerCase();
  const title = isOneOfSeveral ? `${group.title}: ${quantity}` : group.title;
  const label = `\\text{${quantity}${sameUnit && unit && unit !== "1" ? ` [${unit}]` : ""}}`;
  const log = part.some((one) => one.log) || Boolean(group.log);
  const series = part.map((one) => ({ ...one, label: labelOf(one, group.isNamed) }));
  return {
    key: `${group.group}/${group.isTogether ? "" : unit}`,
    group: group.group,
    title,
    make: () => [new TimePlot({ title, label, log, sameUnit, markFindings: group.markFindings }, link)],
    fill: (card) => card.plots[0].show(series, motion, times),
  };
}

/** Coordinates by their letters; what has a name in words by that, and its letter. */
function labelOf({ name, latex }, isNamed) {
  if (!isNamed) return latex || mathText(name);
  const words = `\\text{${String(name).replaceAll("_", " ")}}`;
  return latex && latex !== name ? `${words}\\quad ${latex}` : words;
}

/** Null where a series of the portrait is missing. @returns {Content|null} */
function portraitContent(portrait, k, motion, times, link) {
  const data = portraitData(portrait, motion, times);
  if (!data) return null;
  const { title, surface } = portrait;
  const isFlat = surface === "plane";
  return {
    key: `portrait/${k}`,
    group: "portraits",
    title,
    aside: isFlat ? "" : ` on a ${surface}`,
    make: () => [new Portrait(link, title), ...(isFlat ? [] : [new SurfacePortrait(link, title)])],
    fill: (card) => card.showPortrait(data),
  };
}
