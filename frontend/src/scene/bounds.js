// The room that a motion takes, and how far it leaves a plane.
import { Box3, Matrix4, Quaternion, Vector3 } from "three";
import { quaternionAt, vectorAt } from "../interpolate.js";

const SAMPLES = 80; // frames that are enough to see where a motion goes
const VERTICES = 40; // of each shape

/**
 * @param {import("./bodies.js").Bodies} bodies
 * @returns {{box: Box3, points: Vector3[], spread: Vector3}} the room of everything, points that
 *   mark it out, and how far the bodies' centres move along each axis
 */
export function motionBounds(bodies, motion) {
  const box = new Box3();
  const points = [];
  const centres = new Box3();
  const frames = motion.times.length;
  const stride = Math.max(1, Math.floor(frames / SAMPLES));
  const marks = bodies.groups.map(localPoints);
  const transform = new Matrix4();
  const unit = new Vector3(1, 1, 1);
  for (let frame = 0; frame < frames; frame += stride) {
    const place = { index: frame, next: frame, share: 0 };
    bodies.groups.forEach((_, k) => {
      if (!motion.poses[k]) return;
      const centre = new Vector3().fromArray(vectorAt(motion.poses[k].position, place));
      const [w, x, y, z] = quaternionAt(motion.poses[k].quaternion, place);
      if (!Number.isFinite(centre.lengthSq())) return;
      centres.expandByPoint(centre);
      transform.compose(centre, new Quaternion(x, y, z, w), unit);
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
