// The same portrait on the surface it lives on, to be turned with the pointer or the arrow keys.
// All portraits share one WebGL context: it draws off screen, and the picture is copied to each portrait's canvas.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { kindColour, seriesStyle } from "./colours.js";
import { FAMILY, haloText, Layers, SIZE } from "./drawing.js";
import { drawLabel, plain } from "./labels.js";
import { valueAt } from "./numbers.js";
import { dispose, onSurface, surfaceMesh } from "./surface.js";
import { periodicTicks } from "./ticks.js";
import { FIRST_LOOK, turnGestures } from "./turning.js";

const LIFT = 0.012; // of curves above the surface
const RADIUS = 1;

let shared = null;

function renderer() {
  if (shared === null) {
    try {
      shared = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
      shared.setClearColor(0x000000, 0);
    } catch {
      shared = false; // no WebGL here: the unrolled picture remains
    }
  }
  return shared || null;
}

export class SurfacePortrait {
  constructor(link, title) {
    this.link = link;
    const label = `${title}, on its surface. Drag or use the arrow keys to turn it.`;
    this.layers = new Layers("plot-surface", label, turnGestures(this));
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.1, 20);
    this.turn = { ...FIRST_LOOK };
    this.scene = new THREE.Scene();
  }

  look(around, above, far = this.turn.far) {
    this.turn = { around, above: Math.max(-1.5, Math.min(1.5, above)), far: Math.max(2.2, Math.min(9, far)) };
    this.link.painter.redraw(this);
  }

  show(data) {
    if (!this.data && data.portrait.surface === "cylinder") this.turn.far = 4.4;
    this.data = data;
    const [x, y] = data.axes;
    this.size = { radius: RADIUS, x: [x.low, x.high], y: [y.low, y.high] };
    this.isStale = true;
  }

  /** The colours changed: everything is made anew when it is next drawn. */
  restyle() {
    this.isStale = true;
    this.surface = null;
  }

  at(x, y, lift = LIFT) {
    const { point, normal } = onSurface(this.data.portrait.surface, x, y, this.data.periods, this.size);
    return { point: point.map((one, k) => one + lift * normal[k]), normal };
  }

  buildSurface() {
    dispose(this.scene);
    this.scene.clear();
    const { colours } = this.link;
    const { portrait, periods, axes } = this.data;
    const shade = (share) => new THREE.Color(colours.surface).lerp(new THREE.Color(colours.muted), share);
    const paint = { body: shade(colours.theme === "dark" ? 0.3 : 0.18), line: shade(0.55) };
    const mesh = surfaceMesh(portrait.surface, periods, this.size, paint, { from: axes.map((one) => one.low) });
    const sun = new THREE.DirectionalLight(0xffffff, 1.1);
    sun.position.set(2, -3, 4);
    this.curves = new THREE.Group();
    this.dot = new THREE.Mesh(
      new THREE.SphereGeometry(0.042, 20, 14),
      new THREE.MeshBasicMaterial({ color: seriesStyle(colours.theme, 1).colour }),
    );
    this.scene.add(mesh, new THREE.HemisphereLight(0xffffff, 0x9aa4ad, 2.4), sun, this.curves, this.dot);
  }

  /** The surface where it changed (never by a motion alone, as its size is the picture's), and the curves. */
  build() {
    const { colours } = this.link;
    const { axes, singular, values, isCut } = this.data;
    const periodic = axes.map((one) => [one.period == null ? null : one.low, one.period]).toString();
    if (this.surface !== periodic) {
      this.buildSurface();
      this.surface = periodic;
    }
    dispose(this.curves);
    this.curves.clear();
    this.materials = [];
    for (const one of singular) {
      for (const curve of one.curves) this.addCurve(curve, kindColour(colours.theme, one.kind), 3.2, () => false);
    }
    this.addCurve(values, seriesStyle(colours.theme, 0).colour, 2.2, isCut);
    this.isStale = false;
  }

  /** The curve in front of the surface, and faintly what is behind it. */
  addCurve([xs, ys], colour, width, isCut) {
    let run = [];
    const flush = () => {
      if (run.length > 3) {
        for (const isBehind of [false, true]) {
          const seen = isBehind ? { transparent: true, opacity: 0.16, depthTest: false } : {};
          const material = new LineMaterial({ color: colour, linewidth: width, ...seen });
          this.materials.push(material);
          this.curves.add(new Line2(new LineGeometry().setPositions(run), material));
        }
      }
      run = [];
    };
    for (let k = 0; k < xs.length; k++) {
      if (!Number.isFinite(xs[k] + ys[k])) flush();
      else run.push(...this.at(xs[k], ys[k]).point);
      if (isCut(k)) flush();
    }
    flush();
  }

  draw() {
    if (!this.data || !this.layers.measure()) return;
    const ctx = this.layers.begin(this.layers.base);
    const { colours, time } = this.link;
    const gl = renderer();
    if (!gl) {
      ctx.fillStyle = colours.muted;
      ctx.textAlign = "center";
      ctx.fillText("no WebGL in this browser", this.layers.width / 2, this.layers.height / 2);
      return;
    }
    if (this.isStale) this.build();
    const { width, height, ratio } = this.layers;
    const { around, above, far } = this.turn;
    this.camera.aspect = width / height;
    this.camera.up.set(0, 0, 1);
    this.camera.position
      .set(Math.cos(above) * Math.cos(around), Math.cos(above) * Math.sin(around), Math.sin(above))
      .multiplyScalar(far * Math.max(1, height / width));
    this.camera.lookAt(0, 0, 0);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const [x, y] = this.data.values.map((own) => valueAt(this.data.times, own, time));
    this.dot.visible = Number.isFinite(x + y);
    if (this.dot.visible) this.dot.position.set(...this.at(x, y).point);
    for (const material of this.materials) material.resolution.set(width, height);
    gl.setPixelRatio(ratio);
    gl.setSize(width, height, false);
    gl.render(this.scene, this.camera);
    ctx.drawImage(gl.domElement, 0, 0, width, height);
    this.drawTicks(ctx);
  }

  drawTop() {
    this.draw();
  }

  /** Angles around the periodic directions, and the names of the coordinates; only those on the near side. */
  drawTicks(ctx) {
    const { colours } = this.link;
    const [x, y] = this.data.axes;
    const middle = [x.period == null ? (x.low + x.high) / 2 : 0, y.period == null ? y.low : 0];
    const put = (pair, draw) => {
      const { point, normal } = this.at(pair[0], pair[1], 0.09);
      const towards = this.camera.position.clone().sub(new THREE.Vector3(...point)).normalize();
      if (towards.dot(new THREE.Vector3(...normal)) < 0.12) return;
      const screen = new THREE.Vector3(...point).project(this.camera);
      draw(((screen.x + 1) / 2) * this.layers.width, ((1 - screen.y) / 2) * this.layers.height + 4);
    };
    [x, y].forEach((axis, k) => {
      if (axis.period == null) return;
      for (const tick of periodicTicks(axis.low, axis.high - 1e-6, axis.period)) {
        if (k === 1 && x.period != null && Math.abs(tick.value) < 1e-9) continue; // x is zero there too, and named
        const pair = [...middle];
        pair[k] = tick.value;
        const text = `${plain(this.data.series[k].latex || this.data.series[k].name)} = ${tick.text}`;
        put(pair, (px, py) => haloText(ctx, text, px, py, colours.muted, colours.surface, "center"));
      }
    });
    ctx.fillStyle = colours.ink;
    const ways = {
      torus: ["around the hole", "around the tube"],
      cylinder: x.period == null ? ["along", "around"] : ["around", "along"],
    };
    const way = ways[this.data.portrait.surface] ?? ["across", "up"];
    [x, y].forEach((axis, k) => {
      drawLabel(ctx, `${axis.label} \\text{ ${way[k]}}`, 4, 13 + 15 * k, { size: SIZE, family: FAMILY });
    });
  }
}
