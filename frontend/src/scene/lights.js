// Light from the sky, and one lamp whose shadows fall on the ground.
import { DirectionalLight, Group, HemisphereLight, Vector3 } from "three";

export class Lights {
  constructor(up, theme) {
    this.up = up;
    this.sky = new HemisphereLight(0xffffff, 0xffffff, 2.1);
    this.sky.position.copy(up);
    this.lamp = new DirectionalLight(0xffffff, 2.0);
    this.lamp.castShadow = true;
    this.lamp.shadow.mapSize.set(1024, 1024);
    this.lamp.shadow.radius = 5;
    this.lamp.shadow.bias = -2e-4;
    this.root = new Group();
    this.root.add(this.sky, this.lamp, this.lamp.target);
    this.setTheme(theme);
  }

  setTheme(theme) {
    this.sky.color.set(theme.scene.sky);
    this.sky.groundColor.set(theme.scene.earth);
  }

  /** Light everything inside the sphere. */
  fit({ center, radius }) {
    const aside = Math.abs(this.up.z) > 0.9 ? new Vector3(0.5, -0.7, 0) : new Vector3(0.6, 0, 0.7);
    const direction = aside.addScaledVector(this.up, 1.5).normalize();
    this.lamp.target.position.copy(center);
    this.lamp.position.copy(center).addScaledVector(direction, 4 * radius);
    const { camera } = this.lamp.shadow;
    const reach = 1.6 * radius;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: radius, far: 8 * radius });
    this.lamp.shadow.normalBias = 0.004 * radius;
    camera.updateProjectionMatrix();
  }
}
