// Numbers and times for people.
import { raised, written } from "./plots/numbers.js";

export { written };

/** A time with the digits that a frame needs: 3.214 s. */
export function seconds(t) {
  return `${t.toFixed(3).replace("-", "−")} s`;
}

/** Powers as people write them: T^3 is T³. */
export function powers(text) {
  return String(text).replace(/\^(\d+)/g, (_, digits) => raised(digits));
}

/** "1.2×10⁻³ N m", or the bare number where there is no unit. */
export function quantity(value, unit, digits = 4) {
  return unit ? `${written(value, digits)} ${unit}` : written(value, digits);
}
