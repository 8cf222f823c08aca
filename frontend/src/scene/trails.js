// Paths of the bodies: the whole of it faintly, what is behind them strongly.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { quaternionAt, vectorAt } from "../interpolate.js";
import { farthestPoint } from "./anchors.js";

const SMALL = 0.02; // of the scene: a path shorter than this is a point
const MOST = 1200; // points of a path: more cannot be told apart

export class Trails {
  /** @param {object} model @param {object} motion @param {import("../theme.js").Theme} theme */
  constructor(model, motion, theme) {
    this.root = new Group();
    this.paths = [];
    this.stride = Math.max(1, Math.ceil(motion.times.length / MOST));
    model.bodies.forEach((body, k) => {
      if (body.kind === "marker" || !motion.poses[k] || motion.times.length < 2) return; // beads of a spring
      const points = path(body, motion.poses[k], motion.times.length, this.stride, SMALL * (model.size || 1));
      if (points) this.#add(points, body.colour ?? k);
    });
    this.setTheme(theme);
  }

  #add(points, colour) {
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3));
    const whole = new Line(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.35, depthWrite: false }));
    const past = new Line2(
      new LineGeometry().setPositions(points),
      new LineMaterial({ linewidth: 2.4, transparent: true, opacity: 0.85, depthWrite: false }),
    );
    this.paths.push({ whole, past, colour });
    this.root.add(whole, past);
  }

  setTheme(theme) {
    for (const { whole, past, colour } of this.paths) {
      for (const line of [whole, past]) line.material.color.set(theme.colour(colour));
    }
  }

  /** @param {import("../interpolate.js").Place} place up to which the path is behind the bodies */
  setPlace({ index }) {
    const count = Math.floor(index / this.stride);
    for (const { past } of this.paths) {
      past.geometry.instanceCount = count;
      past.visible = count > 0;
    }
  }

  dispose() {
    for (const { whole, past } of this.paths) {
      for (const line of [whole, past]) {
        line.geometry.dispose();
        line.material.dispose();
      }
    }
  }
}

/** Path of the body's origin; of its farthest point where the origin rests; null where nothing moves. */
function path(body, pose, frames, stride, small) {
  for (const point of [new Vector3(), farthestPoint(body)]) {
    const count = Math.ceil(frames / stride);
    const points = new Float32Array(3 * count);
    const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
    const at = new Vector3();
    for (let k = 0; k < count; k++) {
      const index = k * stride;
      const place = { index, next: index, share: 0 };
      const [w, x, y, z] = quaternionAt(pose.quaternion, place);
      at.copy(point).applyQuaternion({ x, y, z, w });
      const [px, py, pz] = vectorAt(pose.position, place);
      at.x += px;
      at.y += py;
      at.z += pz;
      low.min(at);
      high.max(at);
      at.toArray(points, 3 * k);
    }
    if (high.sub(low).length() > small) return points;
  }
  return null;
}
