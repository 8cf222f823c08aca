// Forces, moments and lost directions as arrows: one head for a force, two for a moment, dashes for what is lost.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from "three";
import { vectorAt } from "../interpolate.js";

const UP = new Vector3(0, 1, 0);
const TYPICAL = 0.45; // of the scene: length of a typical arrow
const LONGEST = 2.2; // typical lengths: peaks at impacts would leave the picture
const DASHES = 15;
const NOTHING = 1e-9; // of the forces that would move the masses through the scene in the time of the motion

export class Arrows {
  constructor(model, motion, theme) {
    this.motion = motion;
    this.size = model.size || 1;
    this.scale = 1;
    this.root = new Group();
    this.geometry = arrowGeometry(this.size);
    const typical = typicalSizes(motion.arrows ?? []);
    this.least = roundOff(model, motion, this.size);
    this.arrows = (motion.arrows ?? []).map((data) => this.#arrow(data, typical[data.unit] ?? 1));
    this.setTheme(theme);
  }

  #arrow(data, typical) {
    const group = new Group();
    const isThrough = data.kind === "lost" || data.kind === "load"; // seen through the body that it acts on
    const material = new MeshBasicMaterial({ depthTest: !isThrough, transparent: isThrough });
    const shaft = new Group();
    const pieces = data.kind === "lost" ? this.geometry.dashes : [this.geometry.shaft];
    shaft.add(...pieces.map((piece) => new Mesh(piece, material)));
    const heads = (isMoment(data) ? [0, 0.72] : [0]).map((back) => {
      const head = new Mesh(this.geometry.head, material);
      head.userData.back = back;
      return head;
    });
    group.add(shaft, ...heads);
    if (isThrough) group.traverse((object) => (object.renderOrder = data.kind === "lost" ? 11 : 10));
    this.root.add(group);
    return { data, group, shaft, heads, material, typical, tip: new Vector3(), shown: false };
  }

  setTheme(theme) {
    for (const { data, material } of this.arrows) material.color.set(theme.scene[data.kind] ?? theme.scene.load);
  }

  /** @param {boolean} wanted what is lost is shown always; the rest when it is wanted */
  place(place, wanted) {
    for (const arrow of this.arrows) {
      const { data } = arrow;
      const present = (data.visible?.[place.index] ?? 1) > 0.5;
      const vector = new Vector3().fromArray(vectorAt(data.vector, place));
      const strength = vector.length();
      const length = this.#length(arrow, strength);
      arrow.shown =
        present &&
        (wanted || data.kind === "lost") &&
        strength > (this.least[data.unit] ?? 0) &&
        length > 0.004 * this.size;
      arrow.group.visible = arrow.shown;
      if (!arrow.shown) continue;
      arrow.strength = strength;
      vector.divideScalar(strength);
      arrow.group.position.fromArray(vectorAt(data.at, place));
      if (data.kind === "lost") arrow.group.position.addScaledVector(vector, -length / 2);
      arrow.group.quaternion.setFromUnitVectors(UP, vector);
      arrow.tip.copy(vector).multiplyScalar(length).add(arrow.group.position);
      stretch(arrow, length, this.geometry.headLength);
    }
  }

  /** Whether no other arrow of its kind is longer now: only that one carries its number. */
  isStrongest(arrow) {
    return (
      arrow.shown &&
      this.arrows.every(
        (other) =>
          other === arrow || !other.shown || other.data.kind !== arrow.data.kind || other.strength <= arrow.strength,
      )
    );
  }

  /** A lost direction is a direction: it goes through its point, and its length says nothing. */
  #length({ data, typical }, strength) {
    if (data.kind === "lost") return 1.5 * this.size;
    return Math.min(LONGEST, strength / typical) * TYPICAL * this.size * this.scale;
  }

  dispose() {
    for (const piece of [this.geometry.shaft, this.geometry.head, ...this.geometry.dashes]) piece.dispose();
    for (const { material } of this.arrows) material.dispose();
  }
}

function isMoment({ kind, unit }) {
  return kind === "reaction-moment" || unit === "N m";
}

/** Shaft and heads for an arrow of this length; short arrows have small heads. */
function stretch({ shaft, heads }, length, headLength) {
  const share = Math.min(1, length / (2.2 * headLength));
  const head = share * headLength;
  shaft.scale.set(share, Math.max(1e-9, length - head), share);
  for (const one of heads) {
    one.scale.setScalar(share);
    one.position.y = length - head * (1 + one.userData.back);
  }
}

function arrowGeometry(size) {
  const [radius, headRadius, headLength] = [0.0075 * size, 0.025 * size, 0.072 * size];
  const pitch = 1 / (DASHES - 0.45);
  return {
    headLength,
    shaft: new CylinderGeometry(radius, radius, 1, 12).translate(0, 0.5, 0),
    head: new ConeGeometry(headRadius, headLength, 20).translate(0, headLength / 2, 0),
    dashes: Array.from({ length: DASHES }, (_, k) =>
      new CylinderGeometry(1.15 * radius, 1.15 * radius, 0.55 * pitch, 12).translate(0, (k + 0.275) * pitch, 0),
    ),
  };
}

/** For each unit the strength that 95 of 100 frames stay below. */
function typicalSizes(arrows) {
  const found = {};
  for (const { vector, unit, kind } of arrows) {
    if (kind === "lost") continue;
    found[unit] ??= [];
    for (let k = 0; k + 2 < vector.length; k += 3) {
      const strength = Math.hypot(vector[k], vector[k + 1], vector[k + 2]);
      if (Number.isFinite(strength) && strength > 0) found[unit].push(strength);
    }
  }
  return Object.fromEntries(
    Object.entries(found).map(([unit, strengths]) => {
      strengths.sort((a, b) => a - b);
      return [unit, strengths[Math.floor(0.95 * (strengths.length - 1))] || 1];
    }),
  );
}

/** Below this an arrow is round-off. */
function roundOff(model, motion, size) {
  const mass = model.bodies.reduce((sum, body) => sum + (body.mass || 0), 0);
  const duration = motion.times[motion.times.length - 1] - motion.times[0];
  const force = duration > 0 ? (NOTHING * mass * size) / duration ** 2 : 0;
  return { N: force, "N m": force * size };
}
