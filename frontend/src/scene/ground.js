// A quiet grid below the motion with a spacing in round metres, fading outwards, and the shadow that falls on it.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  Quaternion,
  ShadowMaterial,
  Vector3,
} from "three";

const LINES = 10; // to each side
const PIECES = 6; // of every half line, so that it can fade
const ALONG_Z = new Vector3(0, 0, 1);

/** 1, 2 or 5 times a power of ten, next below `length`. */
export function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].map((one) => one * power).find((one) => one <= length * (1 + 1e-9)) ?? power;
}

export class Ground {
  /** @param {Vector3} up @param {Vector3} point on the ground @param {number} radius of the motion */
  constructor(up, point, radius, theme) {
    this.spacing = roundLength(Math.max(radius, 1e-9) / 2.5);
    this.root = new Group();
    this.root.position.copy(point);
    this.root.quaternion.copy(new Quaternion().setFromUnitVectors(ALONG_Z, up));
    const reach = LINES * this.spacing;
    this.lines = new LineSegments(
      gridGeometry(this.spacing, reach),
      new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
    );
    this.shadow = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), new ShadowMaterial({ depthWrite: false }));
    this.shadow.receiveShadow = true;
    this.root.add(this.shadow, this.lines);
    this.setTheme(theme);
  }

  setTheme(theme) {
    this.shadow.material.opacity = theme.scene.shadow;
    this.shadow.material.needsUpdate = true;
    this.lines.material.color = new Color(theme.scene.grid);
  }
}

function gridGeometry(spacing, reach) {
  const points = [];
  const colours = [];
  const put = (x, y, strength) => {
    points.push(x, y, 0);
    const fade = Math.max(0, 1 - Math.hypot(x, y) / reach);
    colours.push(1, 1, 1, strength * fade * fade);
  };
  for (let k = -LINES; k <= LINES; k++) {
    const strength = k % 5 === 0 ? 0.75 : 0.4;
    for (let piece = -PIECES; piece < PIECES; piece++) {
      const [from, to] = [(piece / PIECES) * reach, ((piece + 1) / PIECES) * reach];
      put(k * spacing, from, strength);
      put(k * spacing, to, strength);
      put(from, k * spacing, strength);
      put(to, k * spacing, strength);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 4));
  return geometry;
}
