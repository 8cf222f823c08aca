// Paths of the bodies: the whole of it faintly, what is behind them strongly.
import { Group, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { quaternionAt, vectorAt } from "../interpolate.js";

const SMALL = 0.02; // of the scene: a path shorter than this is a point

export class Trails {
  /** @param {object} model @param {object} motion @param {import("../theme.js").Theme} theme */
  constructor(model, motion, theme) {
    this.root = new Group();
    this.paths = [];
    model.bodies.forEach((body, k) => {
      if (!motion.poses[k] || motion.times.length < 2) return;
      const points = path(body, motion.poses[k], motion.times.length, SMALL * (model.size || 1));
      if (points) this.#add(points, body.colour ?? k);
    });
    this.setTheme(theme);
  }

  #add(points, colour) {
    const line = (width, opacity) => new Line2(new LineGeometry().setPositions(points),
      new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false }));
    const path = { whole: line(1.2, 0.28), past: line(2.4, 0.85), colour };
    this.paths.push(path);
    this.root.add(path.whole, path.past);
  }

  setTheme(theme) {
    for (const { whole, past, colour } of this.paths) {
      for (const line of [whole, past]) line.material.color.set(theme.colour(colour));
    }
  }

  /** @param {import("../interpolate.js").Place} place up to which the path is behind the bodies */
  setPlace({ index }) {
    for (const { past } of this.paths) {
      past.geometry.instanceCount = index;
      past.visible = index > 0;
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
function path(body, pose, frames, small) {
  for (const point of [new Vector3(), farthestPoint(body)]) {
    const points = new Float32Array(3 * frames);
    const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
    const at = new Vector3();
    for (let index = 0; index < frames; index++) {
      const place = { index, next: index, share: 0 };
      const [w, x, y, z] = quaternionAt(pose.quaternion, place);
      at.copy(point).applyQuaternion({ x, y, z, w });
      const [px, py, pz] = vectorAt(pose.position, place);
      at.x += px;
      at.y += py;
      at.z += pz;
      low.min(at);
      high.max(at);
      at.toArray(points, 3 * index);
    }
    if (high.sub(low).length() > small) return points;
  }
  return null;
}

function farthestPoint(body) {
  const candidates = (body.shapes ?? []).flatMap((shape) => {
    const centre = new Vector3(...(shape.position ?? [0, 0, 0]));
    if (shape.kind === "bar") return [new Vector3(...shape.from), new Vector3(...shape.to)].map((end) => end.add(centre));
    if (shape.kind === "ring") return [centre.clone().add(new Vector3(shape.radius, 0, 0))];
    return [centre];
  });
  return candidates.reduce((best, one) => (one.lengthSq() > best.lengthSq() ? one : best), new Vector3());
}
