// The room that a motion takes, and how far it leaves a plane.
import { Box3, Matrix4, Quaternion, Sphere, Vector3 } from "three";
import { quaternionAt, vectorAt } from "../interpolate.js";
import { farthestPoint } from "./anchors.js";

const SAMPLES = 80; // frames that are enough to see where a motion goes
const VERTICES = 40; // of each shape
const GAP = 0.004; // of the radius: the ground is just below what stands on it
const FLAT = 0.02; // of the longest way: what moves less along an axis does not move along it, to the eye
const LEAST = 1e-6; // m: a camera needs some radius

/**
 * @param {import("./bodies.js").Bodies} bodies
 * @returns {{box: Box3, sphere: Sphere, points: Vector3[], normal: Vector3|null}} the room of everything, points that
 *   mark it out, and the axis along which nothing moves, if there is one
 */
export function roomOf(bodies, motion) {
  const { centre, size } = bodies.model;
  const { box, points, spread } = motionBounds(bodies, motion);
  const sphere = box.isEmpty()
    ? new Sphere(new Vector3(...(centre ?? [0, 0, 0])), size || 1)
    : box.getBoundingSphere(new Sphere());
  sphere.radius = points.reduce((most, point) => Math.max(most, point.distanceTo(sphere.center)), LEAST);
  return { box, sphere, points, normal: normalOfFlat(spread) };
}

/** The point of the ground below the middle of a room. */
export function footOf({ box, sphere }, up) {
  const lowest = up.clone().multiplyScalar(box.isEmpty() ? -sphere.radius : lowestCorner(box, up));
  return sphere.center
    .clone()
    .addScaledVector(up, -sphere.center.dot(up))
    .add(lowest)
    .addScaledVector(up, -GAP * sphere.radius);
}

function lowestCorner({ min, max }, up) {
  const along = (axis) => Math.min(up[axis] * min[axis], up[axis] * max[axis]);
  return along("x") + along("y") + along("z");
}

/** The axis along which nothing moves, when the others see motion. */
function normalOfFlat(spread) {
  const axes = spread.toArray();
  const most = Math.max(...axes);
  const flat = axes.map((one) => one < FLAT * most);
  if (flat.filter(Boolean).length !== 1) return null;
  return new Vector3().setComponent(flat.indexOf(true), 1);
}

/** The room, points that mark it out, and how far the bodies' centres and ends move along each axis. */
function motionBounds(bodies, motion) {
  const box = new Box3();
  const points = [];
  const centres = new Box3();
  const frames = motion.times.length;
  const stride = Math.max(1, Math.floor(frames / SAMPLES));
  const marks = bodies.groups.map(localPoints);
  const ends = bodies.model.bodies.map(farthestPoint);
  const transform = new Matrix4();
  const scale = new Vector3(1, 1, 1);
  for (let frame = 0; frame < frames; frame += stride) {
    const place = { index: frame, next: frame, share: 0 };
    bodies.groups.forEach((_, k) => {
      if (!motion.poses[k]) return;
      const centre = new Vector3().fromArray(vectorAt(motion.poses[k].position, place));
      const [w, x, y, z] = quaternionAt(motion.poses[k].quaternion, place);
      if (!Number.isFinite(centre.lengthSq())) return;
      centres.expandByPoint(centre);
      scale.z = motion.poses[k].stretch?.[frame] ?? 1;
      transform.compose(centre, new Quaternion(x, y, z, w), scale);
      centres.expandByPoint(ends[k].clone().applyMatrix4(transform));
      points.push(...marks[k].map((point) => point.clone().applyMatrix4(transform)));
    });
  }
  for (const fixture of bodies.fixtures.children) {
    if (fixture.geometry.type !== "PlaneGeometry") points.push(...cornersOf(new Box3().setFromObject(fixture)));
  }
  box.setFromPoints(points);
  return { box, points, spread: centres.isEmpty() ? new Vector3() : centres.getSize(new Vector3()) };
}

/** Points of a body's shapes in its own frame, and its origin. A box around a ring would be larger than the ring. */
function localPoints(group) {
  const found = [new Vector3()];
  for (const child of group.children.filter((one) => one.userData.paint)) {
    child.updateMatrix();
    const { position } = child.geometry.attributes;
    const stride = Math.max(1, Math.floor(position.count / VERTICES));
    for (let k = 0; k < position.count; k += stride) {
      found.push(new Vector3().fromBufferAttribute(position, k).applyMatrix4(child.matrix));
    }
  }
  return found;
}

function cornersOf({ min, max }) {
  const ends = [min, max];
  return ends.flatMap(({ x }) => ends.flatMap(({ y }) => ends.map(({ z }) => new Vector3(x, y, z))));
}
