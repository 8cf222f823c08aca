// The frame of each body: three thin arrows, x y z in the colours of the theme.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial } from "three";

const TURNS = { x: [0, 0, -Math.PI / 2], y: [0, 0, 0], z: [Math.PI / 2, 0, 0] };

/** Adds a frame to every group and returns them, hidden. */
export function addFrames(groups, length, theme) {
  const shaft = new CylinderGeometry(0.012 * length, 0.012 * length, 0.86 * length, 8).translate(0, 0.43 * length, 0);
  const head = new ConeGeometry(0.045 * length, 0.15 * length, 14).translate(0, 0.92 * length, 0);
  const materials = Object.fromEntries(
    Object.keys(TURNS).map((axis) => [axis, new MeshBasicMaterial({ depthTest: false, transparent: true })]),
  );
  const frames = groups.map((group) => {
    const frame = new Group();
    for (const [axis, turn] of Object.entries(TURNS)) {
      for (const geometry of [shaft, head]) {
        const mesh = new Mesh(geometry, materials[axis]);
        mesh.rotation.set(...turn);
        mesh.renderOrder = 9; // seen through the bodies
        frame.add(mesh);
      }
    }
    frame.visible = false;
    group.add(frame);
    return frame;
  });
  const setTheme = (next) => {
    for (const [axis, material] of Object.entries(materials)) material.color.set(next.scene[axis]);
  };
  setTheme(theme);
  return { frames, setTheme, show: (visible) => frames.forEach((frame) => (frame.visible = visible)) };
}
