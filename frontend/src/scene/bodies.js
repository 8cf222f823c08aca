// The bodies of a model, placed as the motion says.
import { Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, CylinderGeometry, Vector3 } from "three";
import { numberAt, quaternionAt, vectorAt } from "../interpolate.js";
import { shapeMesh, surfaceMaterial } from "./shapes.js";

const UP = new Vector3(0, 1, 0);

export class Bodies {
  /** @param {object} model of the document @param {import("../theme.js").Theme} theme */
  constructor(model, theme) {
    this.model = model;
    this.root = new Group();
    this.groups = model.bodies.map((body, k) => this.#body(body, k));
    this.fixtures = this.#fixtures();
    this.#joints();
    this.setTheme(theme);
  }

  /** The body's group carries exactly the body's pose; everything drawn of it is inside. */
  #body(body, k) {
    const group = new Group();
    group.name = body.name;
    group.userData.colour = body.colour ?? k;
    for (const shape of body.shapes ?? []) {
      const opacity = shape.opacity ?? (shape.kind === "ellipsoid" ? 0.55 : 1); // an inertia is no surface
      const mesh = shapeMesh(shape, surfaceMaterial(shape.colour ?? "#888888", opacity));
      if (!shape.colour) mesh.userData.paint = "body";
      group.add(mesh);
    }
    this.root.add(group);
    return group;
  }

  #fixtures() {
    const group = new Group();
    for (const shape of this.model.fixtures ?? []) {
      const mesh = shapeMesh(shape, surfaceMaterial("#888888", shape.opacity ?? (shape.kind === "plane" ? 0.16 : 1)));
      mesh.userData.paint = "fixture";
      group.add(mesh);
    }
    this.root.add(group);
    return group;
  }

  /** Pins along their axis, balls where a joint has none. */
  #joints() {
    const material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.3 });
    const ball = new SphereGeometry(1.15, 20, 14);
    const pin = new CylinderGeometry(1, 1, 3.2, 24);
    for (const joint of this.model.joints ?? []) {
      const owner = this.groups[joint.body];
      if (!owner || !joint.position) continue;
      const mesh = new Mesh(joint.axis ? pin : ball, material);
      mesh.position.fromArray(joint.position);
      mesh.scale.setScalar(this.#jointSize(this.model.bodies[joint.body]));
      if (joint.axis) mesh.quaternion.setFromUnitVectors(UP, new Vector3(...joint.axis).normalize());
      mesh.castShadow = true;
      mesh.userData.paint = "joint";
      owner.add(mesh);
    }
  }

  /** Somewhat thicker than the bars that it joins. */
  #jointSize({ shapes = [] }) {
    const bar = shapes.find((shape) => shape.kind === "bar");
    return Math.min(0.022 * (this.model.size || 1), 1.35 * (bar?.radius ?? Infinity));
  }

  setTheme(theme) {
    this.root.traverse((object) => {
      const { paint } = object.userData;
      if (paint === "body") object.material.color.set(theme.colour(object.parent.userData.colour));
      else if (paint) object.material.color.set(theme.scene[paint]);
    });
  }

  /** @param {object[]} poses of the motion @param {import("../interpolate.js").Place} place */
  place(poses, place) {
    this.groups.forEach((group, k) => {
      if (!poses[k]) return;
      vectorAt(poses[k].position, place, position);
      quaternionAt(poses[k].quaternion, place, turn);
      group.position.fromArray(position);
      group.quaternion.set(turn[1], turn[2], turn[3], turn[0]);
      if (poses[k].stretch) group.scale.z = Math.max(1e-9, numberAt(poses[k].stretch, place)); // rods that change length
    });
  }

  /** Where the centre of mass is drawn; bodies without mass count a little, so that there is always one. */
  centreOfMass() {
    const centre = new Vector3();
    let total = 0;
    this.groups.forEach((group, k) => {
      const mass = this.model.bodies[k].mass || 1e-12;
      centre.addScaledVector(group.position, mass);
      total += mass;
    });
    return centre.divideScalar(total);
  }

  /** World transforms as drawn. */
  poses() {
    return this.groups.map((group) => {
      group.updateWorldMatrix(true, false);
      const quaternion = group.getWorldQuaternion(new Quaternion());
      return {
        name: group.name,
        position: group.getWorldPosition(new Vector3()).toArray(),
        quaternion: [quaternion.w, quaternion.x, quaternion.y, quaternion.z],
      };
    });
  }
}

const position = [0, 0, 0];
const turn = [1, 0, 0, 0];
