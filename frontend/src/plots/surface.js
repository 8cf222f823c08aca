// The surface on which two coordinates live: plane, cylinder or torus, as points and as a mesh of three.js.
import * as THREE from "three";

const TORUS = { ring: 0.68, tube: 0.32 }; // parts of the radius
const CYLINDER = { radius: 0.62, half: 0.8 };
const STEPS = 96;

/**
 * Where (x, y) is on the surface. periods: [period of x or null, period of y or null]. size: the radius of the picture,
 * or {radius, x: [low, high], y: [low, high]} where the range of a coordinate without period fills the picture.
 */
export function surfacePoint(surface, x, y, periods, size) {
  return onSurface(surface, x, y, periods, size).point;
}

/** {point, normal}: the normal points to where an eye outside looks from. */
export function onSurface(surface, x, y, periods, size) {
  const { radius } = sized(size);
  const [px, py] = periods;
  if (surface === "torus") {
    const [a, b] = [(2 * Math.PI * x) / px, (2 * Math.PI * y) / py];
    const normal = [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)];
    const reach = radius * (TORUS.ring + TORUS.tube * Math.cos(b));
    return { point: [reach * Math.cos(a), reach * Math.sin(a), radius * TORUS.tube * Math.sin(b)], normal };
  }
  if (surface === "cylinder") {
    const isAround = px != null; // else y goes round, and x along
    const angle = (2 * Math.PI * (isAround ? x : y)) / (isAround ? px : py);
    const along = spread(isAround ? y : x, size, isAround ? "y" : "x", CYLINDER.half);
    const normal = [Math.cos(angle), Math.sin(angle), 0];
    return { point: [radius * CYLINDER.radius * normal[0], radius * CYLINDER.radius * normal[1], along], normal };
  }
  return { point: [spread(x, size, "x", 1), spread(y, size, "y", 1), 0], normal: [0, 0, 1] };
}

function sized(size) {
  return typeof size === "number" ? { radius: size } : { radius: 1, ...size };
}

function spread(value, size, axis, half) {
  const { radius, [axis]: range } = sized(size);
  if (!range) return value * radius;
  return radius * half * ((2 * (value - range[0])) / (range[1] - range[0] || 1) - 1);
}

/** The ranges that a mesh covers: one period from `from`, or the range of the picture. */
function covered(periods, size, from) {
  const full = sized(size);
  return ["x", "y"].map((axis, k) => {
    if (periods[k] != null) return [from[k], from[k] + periods[k]];
    return full[axis] ?? [-1, 1];
  });
}

/**
 * A group with the shaded surface and a grid on it (quarters of each period). colours: {surface, line, ink}; opacity 1
 * hides what is behind.
 */
export function surfaceMesh(surface, periods, size, colours, { opacity = 1, from = [0, 0] } = {}) {
  const group = new THREE.Group();
  const [xs, ys] = covered(periods, size, from);
  const geometry = new THREE.BufferGeometry();
  const points = [];
  const normals = [];
  const faces = [];
  for (let i = 0; i <= STEPS; i++) {
    for (let j = 0; j <= STEPS; j++) {
      const here = onSurface(surface, at(xs, i / STEPS), at(ys, j / STEPS), periods, size);
      points.push(...here.point);
      normals.push(...here.normal);
      if (i < STEPS && j < STEPS) {
        const k = i * (STEPS + 1) + j;
        faces.push(k, k + STEPS + 1, k + 1, k + 1, k + STEPS + 1, k + STEPS + 2);
      }
    }
  }
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  geometry.setIndex(faces);
  const material = new THREE.MeshLambertMaterial({
    color: colours.body ?? colours.surface,
    side: THREE.DoubleSide,
    transparent: opacity < 1,
    opacity,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
  });
  group.add(new THREE.Mesh(geometry, material));
  group.add(gridLines(surface, periods, size, colours, [xs, ys]));
  return group;
}

function at([low, high], share) {
  return low + share * (high - low);
}

function gridLines(surface, periods, size, colours, ranges) {
  const points = [];
  const lift = 0.002 * sized(size).radius;
  const put = (x, y) => {
    const { point, normal } = onSurface(surface, x, y, periods, size);
    points.push(...point.map((one, k) => one + lift * normal[k]));
  };
  for (const axis of [0, 1]) {
    const count = periods[axis] == null ? 4 : 8;
    for (let i = 0; i <= count; i++) {
      for (let j = 0; j < STEPS; j++) {
        for (const share of [j / STEPS, (j + 1) / STEPS]) {
          const pair = [at(ranges[axis], i / count), at(ranges[1 - axis], share)];
          put(pair[axis], pair[1 - axis]);
        }
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(
    geometry,
    new THREE.LineBasicMaterial({ color: colours.line, transparent: true, opacity: 0.9 }),
  );
}

/** Frees what a mesh holds on the graphics card. */
export function dispose(object) {
  object.traverse((one) => {
    one.geometry?.dispose();
    one.material?.dispose();
  });
}
