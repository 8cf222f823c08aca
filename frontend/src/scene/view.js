// The picture of the mechanism: builds it from the document, moves it, and draws it when something changed.
import { Color, Scene, Sphere, Vector3, WebGLRenderer } from "three";
import { placeOf } from "../interpolate.js";
import { anchorOf } from "./anchors.js";
import { Arrows } from "./arrows.js";
import { Bodies } from "./bodies.js";
import { motionBounds } from "./bounds.js";
import { CameraRig } from "./camera.js";
import { Configuration } from "./configuration.js";
import { addFrames } from "./frames.js";
import { Ground } from "./ground.js";
import { Labels } from "./labels.js";
import { Lights } from "./lights.js";
import { Trails } from "./trails.js";
import { quantity } from "../format.js";

const NARROW = 480; // pixels: a picture below this has no room for numbers at arrows
const GAP = 0.004; // of the radius: the ground is just below what stands on it

export class View extends EventTarget {
  /**
   * @param {{canvas: HTMLCanvasElement, labels: HTMLElement}} elements
   * @param {object} page the document @param {import("../theme.js").Theme} theme
   * @param {() => void} changed asks for a frame
   */
  constructor({ canvas, labels }, page, theme, changed) {
    super();
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    canvas.addEventListener("webglcontextrestored", changed);
    canvas.addEventListener("dblclick", () => this.look(this.rig.preset));
    this.model = page.model;
    this.theme = theme;
    this.changed = changed;
    this.layers = { trails: true, frames: false, arrows: true, labels: true };
    this.scene = new Scene();
    this.up = new Vector3(...(page.model.up ?? [0, 0, 1])).normalize();
    this.hasBodies = page.model.bodies.length > 0;
    const { bodies, fixtures, joints } = page.model;
    this.shapes = this.firstShapes = { bodies, fixtures, joints };
    this.rig = new CameraRig(canvas, this.up, changed);
    this.lights = new Lights(this.up, theme);
    this.labels = new Labels(labels);
    this.scene.add(this.lights.root);
    if (this.hasBodies) this.#addBodies();
    this.setTheme();
    this.setMotion(page.motion);
    this.#fit();
  }

  #addBodies() {
    this.bodies = new Bodies(this.model, this.theme);
    this.frames = addFrames(this.bodies.groups, 0.4 * (this.model.size || 1), this.theme);
    this.scene.add(this.bodies.root);
  }

  /** Bodies of other lengths, where a parameter has changed them. */
  #reshape(shapes) {
    if (shapes === this.shapes) return;
    const { root } = this.bodies;
    this.shapes = shapes;
    this.model = { ...this.model, ...shapes };
    this.scene.remove(root);
    this.#addBodies();
    const release = ({ geometry, material }) => [geometry, material].forEach((part) => part?.dispose());
    setTimeout(() => root.traverse(release), 100);
  }

  /** Another motion of the same model; camera, layers and time stay. */
  setMotion(motion) {
    this.motion = motion;
    const before = [this.trails, this.arrows, this.configuration].filter(Boolean);
    if (this.hasBodies) {
      this.#reshape(motion.shapes ?? this.firstShapes);
      this.trails = new Trails(this.model, motion, this.theme);
      this.arrows = new Arrows(this.model, motion, this.theme);
      this.arrows.scale = this.arrowScale ?? 1;
      this.scene.add(this.trails.root, this.arrows.root);
    } else {
      this.configuration = new Configuration(this.model.portraits?.[0], motion, this.theme);
      this.scene.add(this.configuration.root);
    }
    for (const old of before) this.scene.remove(old.root);
    setTimeout(() => before.forEach((old) => old.dispose()), 100); // later: what the new ones use stays compiled
    this.#nameThings();
    this.setTime(this.time ?? motion.times[0]);
  }

  /** Camera, light and ground for the room that the motion takes. */
  #fit() {
    if (!this.hasBodies) return this.#fitConfiguration();
    const { box, sphere } = this.#room();
    const lowest = this.up.clone().multiplyScalar(box.isEmpty() ? -sphere.radius : lowestCorner(box, this.up));
    const flatOnGround = sphere.center
      .clone()
      .addScaledVector(this.up, -sphere.center.dot(this.up))
      .add(lowest)
      .addScaledVector(this.up, -GAP * sphere.radius);
    this.ground = new Ground(this.up, flatOnGround, sphere.radius, this.theme);
    this.scene.add(this.ground.root);
    this.lights.fit(sphere);
    this.rig.look(this.rig.preset);
  }

  /** Where the bodies go, told to the camera. */
  #room() {
    this.fitted = this.motion;
    const { box, points, spread } = motionBounds(this.bodies, this.motion);
    const sphere = box.isEmpty()
      ? new Sphere(new Vector3(...(this.model.centre ?? [0, 0, 0])), this.model.size || 1)
      : box.getBoundingSphere(new Sphere());
    sphere.radius = points.reduce((most, point) => Math.max(most, point.distanceTo(sphere.center)), 1e-6);
    this.rig.setBounds(sphere, points, normalOfFlat(spread));
    return { box, sphere };
  }

  #fitConfiguration() {
    if (this.configuration.isEmpty) return;
    this.lights.fit(this.configuration.bounds);
    if (this.configuration.portrait.surface === "plane") this.rig.preset = "top";
    this.rig.setBounds(this.configuration.bounds, this.configuration.outline(), null);
    this.rig.look(this.rig.preset);
  }

  /** What the picture is measured by. */
  get caption() {
    if (this.ground) return `grid ${Number(this.ground.spacing.toPrecision(1))} m`;
    return this.configuration?.caption ?? "";
  }

  #nameThings() {
    const bodies = (this.bodies?.groups ?? []).map((group, k) => {
      const anchor = anchorOf(this.model.bodies[k], k);
      return { text: () => group.name, at: () => (this.layers.labels ? group.localToWorld(anchor.clone()) : null) };
    });
    const arrows = (this.arrows?.arrows ?? []).map((arrow) => ({
      text: () =>
        arrow.data.kind === "lost"
          ? arrow.data.name
          : `${arrow.data.name} ${quantity(arrow.strength, arrow.data.unit)}`,
      at: () =>
        (
          arrow.data.kind === "lost"
            ? arrow.shown
            : this.layers.labels && this.width > NARROW && this.arrows.isStrongest(arrow)
        )
          ? arrow.tip
          : null,
      tone: arrow.data.kind,
    }));
    const curves = (this.configuration?.isEmpty === false ? this.configuration.labels() : []).map((one) => ({
      ...one,
      at: () => (this.layers.labels ? one.at() : null),
    }));
    this.labels.set([...bodies, ...arrows, ...curves]);
  }

  setTime(time) {
    this.time = time;
    const place = placeOf(this.motion.times, time);
    this.bodies?.place(this.motion.poses, place);
    this.trails?.setPlace(place);
    this.arrows?.place(place, this.layers.arrows);
    this.configuration?.place(place);
    this.#applyLayers();
    this.changed();
  }

  /** Which kinds of arrows can be seen at the moment. */
  get shownArrows() {
    return new Set((this.arrows?.arrows ?? []).filter((arrow) => arrow.shown).map((arrow) => arrow.data.kind));
  }

  /** @param {"trails"|"frames"|"arrows"|"labels"} layer */
  toggle(layer) {
    this.layers[layer] = !this.layers[layer];
    this.dispatchEvent(new Event("layers"));
    this.setTime(this.time);
  }

  #applyLayers() {
    if (this.trails) this.trails.root.visible = this.layers.trails;
    this.configuration?.showTrail(this.layers.trails);
    this.frames?.show(this.layers.frames);
  }

  setArrowScale(scale) {
    this.arrowScale = scale;
    if (this.arrows) this.arrows.scale = scale;
    this.setTime(this.time);
  }

  /** From a preset; what is fitted is the motion shown now. */
  look(name) {
    if (this.hasBodies && this.fitted !== this.motion) this.#room();
    this.rig.look(name);
    this.dispatchEvent(new Event("camera"));
    this.changed();
  }

  setTheme() {
    this.scene.background = new Color(this.theme.scene.background);
    for (const part of [
      this.bodies,
      this.frames,
      this.trails,
      this.arrows,
      this.configuration,
      this.ground,
      this.lights,
    ]) {
      part?.setTheme(this.theme);
    }
    this.changed();
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height);
    this.changed();
  }

  /** Draw. Returns whether the camera still glides. */
  render() {
    this.rig.follow(this.#centreOfMass());
    const gliding = this.rig.update();
    this.renderer.render(this.scene, this.rig.camera);
    this.labels.place(this.rig.camera, this.width, this.height);
    return gliding;
  }

  #centreOfMass() {
    if (!this.hasBodies) return this.configuration.marker?.position ?? null;
    const centre = new Vector3();
    let total = 0;
    this.bodies.groups.forEach((group, k) => {
      const mass = this.model.bodies[k].mass || 1e-12;
      centre.addScaledVector(group.position, mass);
      total += mass;
    });
    return centre.divideScalar(total);
  }

  poses() {
    return this.hasBodies ? this.bodies.poses() : this.configuration.poses();
  }

  /** Wait until everything sent to the graphics processor is drawn, by reading one pixel. */
  finish() {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}

function lowestCorner({ min, max }, up) {
  const along = (axis) => Math.min(up[axis] * min[axis], up[axis] * max[axis]);
  return along("x") + along("y") + along("z");
}

/** The axis along which nothing moves, when the others see motion. */
function normalOfFlat(spread) {
  const axes = spread.toArray();
  const most = Math.max(...axes);
  const flat = axes.map((one) => one < 0.02 * most);
  if (flat.filter(Boolean).length !== 1) return null;
  return new Vector3().setComponent(flat.indexOf(true), 1);
}
