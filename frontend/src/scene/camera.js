// Where one looks from: presets that fit the motion, an orbit by mouse or finger, and a camera that follows.
import { PerspectiveCamera, Sphere, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export const CAMERAS = ["front", "top", "side", "isometric", "follow"];
const MARGIN = 1.06;
const EDGES = { top: 52, bottom: 34, sides: 20 }; // pixels that the tools take

export class CameraRig {
  /** @param {HTMLElement} surface that is dragged @param {Vector3} up @param {() => void} changed */
  constructor(surface, up, changed) {
    this.up = up.clone().normalize();
    this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, surface);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.16;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => (this.isTurned = true));
    this.isTurned = false; // by hand: then another size of the page does not turn it back
    this.directions = directions(this.up);
    this.sphere = new Sphere(new Vector3(), 1);
    this.points = [];
    this.free = { x: 1, y: 1 }; // shares of the picture without tools
    this.preset = "isometric";
    this.isFresh = true;
    this.followed = null;
  }

  /**
   * The motion to fit.
   * @param {Sphere} sphere around it @param {Vector3[]} points that mark it out
   * @param {Vector3|null} flat normal of the plane that it stays in
   */
  setBounds(sphere, points, flat) {
    this.sphere = sphere;
    this.points = points;
    if (flat && Math.abs(flat.dot(this.up)) < 0.5) {
      const facing = flat.clone().multiplyScalar(Math.sign(flat.dot(this.directions.isometric)) || 1);
      this.directions = { ...this.directions, front: facing, isometric: obliquely(facing, this.up) };
      if (this.isFresh) this.preset = "front"; // what moves in an upright plane is seen best along its normal
    }
    this.isFresh = false;
    const { radius } = sphere;
    this.camera.near = radius / 100;
    this.camera.far = radius * 60;
    this.controls.minDistance = radius / 10;
    this.controls.maxDistance = radius * 20;
  }

  /** @param {string} name one of CAMERAS */
  look(name) {
    this.preset = name;
    this.isTurned = false;
    this.followed = null;
    const direction = this.directions[name] ?? this.directions.isometric;
    this.controls.target.copy(this.sphere.center);
    this.camera.position.copy(this.sphere.center).addScaledVector(direction, this.#distance(direction));
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Keep the point where it is in the picture, when the preset is "follow". */
  follow(point) {
    if (this.preset !== "follow" || !point) return;
    const moved = point.clone().sub(this.followed ?? this.controls.target);
    this.controls.target.add(moved);
    this.camera.position.add(moved);
    this.followed = point.clone();
    this.controls.update();
  }

  resize(width, height) {
    const before = this.camera.aspect;
    this.camera.aspect = width / Math.max(1, height);
    this.camera.setViewOffset(width, height, 0, (EDGES.bottom - EDGES.top) / 2, width, height);
    this.free = {
      x: Math.max(0.5, 1 - (2 * EDGES.sides) / width),
      y: Math.max(0.5, 1 - (EDGES.top + EDGES.bottom) / height),
    };
    if (before !== this.camera.aspect && !this.isTurned) this.look(this.preset);
  }

  /** Still gliding after a drag? */
  update() {
    return this.controls.update();
  }

  /** From how far every point is seen, looking from this direction. */
  #distance(direction) {
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    let distance = this.sphere.radius;
    for (const point of this.points) {
      const from = point.clone().sub(this.sphere.center);
      const needed =
        Math.max(
          Math.abs(from.dot(right)) / (this.camera.aspect * this.free.x),
          Math.abs(from.dot(above)) / this.free.y,
        ) / tangent;
      distance = Math.max(distance, from.dot(direction) + MARGIN * needed);
    }
    return distance;
  }
}

/** Looking directions of the presets (from the motion towards the camera) for any upward direction. */
function directions(up) {
  const reference = Math.abs(up.z) > 0.9 ? new Vector3(0, -1, 0) : new Vector3(0, 0, 1);
  const front = reference.addScaledVector(up, -reference.dot(up)).normalize();
  const side = new Vector3().crossVectors(up, front);
  const isometric = front.clone().addScaledVector(side, 0.75).addScaledVector(up, 0.55).normalize();
  const top = up.clone().addScaledVector(front, 1e-3).normalize(); // not quite: the picture needs an upward direction
  return { front, side, top, isometric, follow: isometric };
}

/** Nearly along the normal of an upright plane, with some depth left to see. */
function obliquely(normal, up) {
  const aside = new Vector3().crossVectors(up, normal).multiplyScalar(0.28).addScaledVector(up, 0.22);
  return normal.clone().add(aside).normalize();
}
