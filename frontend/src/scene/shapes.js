// Shapes of the document as meshes, in the frame of their body.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  DoubleSide,
  FrontSide,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const UP = new Vector3(0, 1, 0);
const CREASE = Math.PI / 5; // between faces of a mesh: what is sharper is an edge
const ALONG_Z = new Vector3(0, 0, 1);

/** Geometries by the document's word for them; axes of cylinders and rings are z. */
const GEOMETRY = {
  sphere: ({ radius }) => new SphereGeometry(radius, 40, 24),
  ellipsoid: ({ radii }) => new SphereGeometry(1, 48, 32).scale(...radii),
  cylinder: ({ radius, length }) => new CylinderGeometry(radius, radius, length, 48).rotateX(Math.PI / 2),
  box: ({ size }) => new BoxGeometry(...size),
  ring: ({ radius, tube }) => new TorusGeometry(radius, tube, 16, 96),
  bar: barGeometry,
  mesh: meshGeometry,
  plane: planeGeometry,
};

/** @param {object} shape of the document @param {MeshStandardMaterial} material */
export function shapeMesh(shape, material) {
  const make = GEOMETRY[shape.kind];
  if (!make) throw new Error(`The page knows no shape "${shape.kind}"; it knows ${Object.keys(GEOMETRY).join(", ")}.`);
  const mesh = new Mesh(make(shape), material);
  if (shape.position) mesh.position.fromArray(shape.position);
  if (shape.quaternion) {
    const [w, x, y, z] = shape.quaternion;
    mesh.quaternion.set(x, y, z, w);
  }
  mesh.castShadow = (shape.opacity ?? 1) > 0.5 && shape.kind !== "plane";
  mesh.receiveShadow = shape.kind !== "plane";
  return mesh;
}

/** A matt surface; see-through ones do not hide what is behind them from later drawing. */
export function surfaceMaterial(colour, opacity = 1) {
  return new MeshStandardMaterial({
    color: colour,
    opacity,
    transparent: opacity < 1,
    depthWrite: opacity === 1,
    roughness: 0.62,
    metalness: 0.08,
    side: opacity < 0.3 ? DoubleSide : FrontSide,
  });
}

function barGeometry({ from, to, radius }) {
  const [start, end] = [new Vector3(...from), new Vector3(...to)];
  const along = end.clone().sub(start);
  const turn = new Quaternion().setFromUnitVectors(UP, along.clone().normalize());
  const middle = start.add(end).multiplyScalar(0.5);
  return new CapsuleGeometry(radius, along.length(), 6, 24).applyQuaternion(turn).translate(...middle.toArray());
}

function meshGeometry({ vertices, faces }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(flat(vertices)), 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(flat(faces)), 1));
  return toCreasedNormals(geometry, CREASE); // round where it is nearly flat; edges stay sharp
}

function planeGeometry({ normal, point, extent }) {
  const turn = new Quaternion().setFromUnitVectors(ALONG_Z, new Vector3(...normal).normalize());
  return new PlaneGeometry(2 * extent, 2 * extent).applyQuaternion(turn).translate(...point);
}

function flat(rows) {
  return Array.isArray(rows) ? rows.flat() : rows;
}
