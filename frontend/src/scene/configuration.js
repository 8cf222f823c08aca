// The configuration of a system without bodies: a point that moves on the surface of its first portrait.
import { Group, Mesh, MeshStandardMaterial, Sphere, SphereGeometry, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { kindColour } from "../plots/colours.js";
import { dispose, onSurface, surfaceMesh } from "../plots/surface.js";

const ABOVE = 0.006; // lines lie this far off the surface, so that they stay visible

export class Configuration {
  /** @param {object} [portrait] of the model */
  constructor(portrait, motion, theme) {
    this.root = new Group();
    this.portrait = portrait;
    const [x, y] = ["x", "y"].map((axis) => motion.series.find((one) => one.name === portrait?.[axis])?.values);
    this.isEmpty = !x || !y;
    if (this.isEmpty) return;
    this.values = { x, y };
    this.periods = [portrait.x_period, portrait.y_period];
    this.size = { radius: 1, x: range(x, portrait, 0), y: range(y, portrait, 1) };
    this.bounds = new Sphere(new Vector3(), 1.05);
    this.#build();
    this.setTheme(theme);
  }

  #build() {
    const { x, y } = this.values;
    this.singular = (this.portrait.singular ?? []).flatMap(({ kind, curves }) =>
      curves.map((curve) => Object.assign(line(this.#lift(pairs(curve)), 3, 1), { userData: { kind } })),
    );
    const points = this.#lift(Array.from(x, (value, k) => [value, y[k]]));
    this.whole = line(points, 1.3, 0.4);
    this.past = line(points, 2.8, 1);
    this.marker = new Mesh(new SphereGeometry(0.04, 32, 20), new MeshStandardMaterial({ roughness: 0.4 }));
    this.root.add(...this.singular, this.whole, this.past, this.marker);
  }

  #point(x, y, above) {
    const { point, normal } = onSurface(this.portrait.surface, x, y, this.periods, this.size);
    return point.map((one, k) => one + above * normal[k]);
  }

  #lift(list) {
    return list.flatMap(([x, y]) => this.#point(x, y, ABOVE));
  }

  setTheme(theme) {
    if (this.isEmpty) return;
    const { surface, grid } = theme.scene;
    if (this.skin) this.#drop(this.skin);
    this.skin = surfaceMesh(this.portrait.surface, this.periods, this.size, { body: surface, surface, line: grid });
    this.root.add(this.skin);
    for (const one of this.singular) one.material.color.set(kindColour(theme.name, one.userData.kind));
    for (const one of [this.whole, this.past, this.marker]) one.material.color.set(theme.colour(0));
  }

  #drop(object) {
    this.root.remove(object);
    dispose(object);
  }

  place({ index, next, share }) {
    if (this.isEmpty) return;
    const at = (values) => values[index] + share * (values[next] - values[index]);
    this.marker.position.fromArray(this.#point(at(this.values.x), at(this.values.y), 0.02));
    this.past.geometry.instanceCount = Math.max(1, index);
  }

  /** How the surface is to be read. */
  get caption() {
    if (this.isEmpty) return "";
    const { x, y, surface, x_period: around } = this.portrait;
    if (surface === "torus") return `configurations on a torus: ${x} around the ring, ${y} around the tube`;
    const [turning, straight] = around ? [x, y] : [y, x];
    if (surface === "cylinder") return `a cylinder: ${turning} around it, ${straight} along it`;
    return `a plane: ${x} to the right, ${y} upwards`;
  }

  showTrail(visible) {
    if (!this.isEmpty) for (const one of [this.whole, this.past]) one.visible = visible;
  }

  /** Names of the singular curves, at a point of the longest of each. */
  labels() {
    const drawn = (this.portrait.singular ?? []).filter(({ curves }) => curves.length > 0);
    return drawn.map(({ label, curves }) => {
      const list = pairs(curves.reduce((best, one) => (one.length > best.length ? one : best)));
      const [x, y] = list[Math.floor(list.length / 3)];
      const point = new Vector3().fromArray(this.#point(x, y, 0.03));
      return { text: () => label, at: () => point, tone: "plain" };
    });
  }

  /** Points that mark out the surface. */
  outline() {
    const found = [];
    this.skin.children[0].geometry.attributes.position.array.forEach((_, k, all) => {
      if (k % 27 === 0) found.push(new Vector3().fromArray(all, k));
    });
    return found;
  }

  poses() {
    if (this.isEmpty) return [];
    return [{ name: "configuration", position: this.marker.position.toArray(), quaternion: [1, 0, 0, 0] }];
  }

  dispose() {
    dispose(this.root);
  }
}

/** What one axis has to show: the motion and the singular curves, with some air. */
function range(values, portrait, column) {
  let [low, high] = [Infinity, -Infinity];
  const see = (value) => {
    if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  };
  for (const value of values) see(value);
  for (const { curves } of portrait.singular ?? []) {
    for (const curve of curves) for (let k = column; k < curve.length; k += 2) see(curve[k]);
  }
  const margin = 0.08 * (high - low) || 1;
  return [low - margin, high + margin];
}

function pairs(curve) {
  return Array.from({ length: curve.length / 2 }, (_, k) => [curve[2 * k], curve[2 * k + 1]]);
}

function line(points, width, opacity) {
  return new Line2(
    new LineGeometry().setPositions(points),
    new LineMaterial({ linewidth: width, transparent: opacity < 1, opacity }),
  );
}
