// The picture of the mechanism: builds it from the document, moves it, and draws it when something changed.
import { Color, Scene, Vector3, WebGLRenderer } from "three";
import { placeOf } from "../interpolate.js";
import { Arrows } from "./arrows.js";
import { Bodies } from "./bodies.js";
import { footOf, roomOf } from "./bounds.js";
import { CameraRig } from "./camera.js";
import { Configuration } from "./configuration.js";
import { addFrames } from "./frames.js";
import { Ground } from "./ground.js";
import { Labels } from "./labels.js";
import { Lights } from "./lights.js";
import { namesIn } from "./names.js";
import { Trails } from "./trails.js";

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
    this.labels.set(namesIn(this));
    this.setTime(this.time ?? motion.times[0]);
  }

  /** Camera, light and ground for the room that the motion takes. */
  #fit() {
    if (!this.hasBodies) return this.#fitConfiguration();
    const room = this.#showRoom();
    this.ground = new Ground(this.up, footOf(room, this.up), room.sphere.radius, this.theme);
    this.scene.add(this.ground.root);
    this.lights.fit(room.sphere);
    this.rig.look(this.rig.preset);
  }

  /** Where the bodies go, told to the camera. */
  #showRoom() {
    this.fitted = this.motion;
    const room = roomOf(this.bodies, this.motion);
    this.rig.setBounds(room.sphere, room.points, room.normal);
    return room;
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

  setTime(time) {
    this.time = time;
    if (this.shaking) return this.#showShaken();
    const place = placeOf(this.motion.times, time);
    this.bodies?.place(this.motion.poses, place);
    this.trails?.setPlace(place);
    this.arrows?.place(place, this.layers.arrows);
    this.configuration?.place(place);
    this.#applyLayers();
    this.changed();
  }

  /** A mode instead of the motion: poses that belong to deflections, and the one to show. */
  shake(poses, deflections, deflection) {
    this.shaking = { poses, place: placeOf(deflections, deflection) };
    this.#showShaken();
  }

  /** The motion again. */
  still() {
    this.shaking = null;
    this.setTime(this.time);
  }

  #showShaken() {
    this.bodies?.place(this.shaking.poses, this.shaking.place);
    this.arrows?.place(placeOf(this.motion.times, this.time), false); // these and trails belong to the motion
    if (this.trails) this.trails.root.visible = false;
    this.changed();
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
    if (this.hasBodies && this.fitted !== this.motion) this.#showRoom();
    this.rig.look(name);
    this.dispatchEvent(new Event("camera"));
    this.changed();
  }

  setTheme() {
    this.scene.background = new Color(this.theme.scene.background);
    const { bodies, frames, trails, arrows, configuration, ground, lights } = this;
    for (const part of [bodies, frames, trails, arrows, configuration, ground, lights]) part?.setTheme(this.theme);
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
    this.rig.follow(this.bodies?.centreOfMass() ?? this.configuration.marker?.position ?? null);
    const gliding = this.rig.update();
    this.renderer.render(this.scene, this.rig.camera);
    this.labels.place(this.rig.camera, this.width, this.height);
    return gliding;
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
